package io.bg3.storage.extent;

import java.nio.ByteBuffer;

/**
 * A record as it was read and verified.
 *
 * @param location where it was read
 * @param kind what the payload is; the writer's to choose
 * @param key what it belongs to: a page id, the hash of a key; the writer's to choose
 * @param payload its bytes, little-endian, position 0; on the heap and the reader's own
 */
public record ExtentRecord(long location, byte kind, long key, ByteBuffer payload) {}
