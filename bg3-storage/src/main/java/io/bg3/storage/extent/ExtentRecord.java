package io.bg3.storage.extent;

import java.nio.ByteBuffer;

/**
 * A record as it was read and verified.
 *
 * @param location where it was read
 * @param kind what the payload is; the writer's to choose
 * @param key what it belongs to: a page id, the hash of a key; the writer's to choose
 * @param payload its bytes, little-endian, position 0; whose they are, says {@link
 *     ExtentStore#read}. Only the first of them, if {@link ExtentStore#readFirst} has read it
 */
public record ExtentRecord(long location, byte kind, long key, ByteBuffer payload) {}
