package io.bg3.core.tree;

import java.nio.ByteBuffer;

/**
 * The stored images of one page.
 *
 * @param page its number
 * @param kind what its records in the extents say: a page kind of {@link
 *     io.bg3.core.page.PageHeader}
 * @param base the base image
 * @param delta the delta image, null if there is none
 * @param source where they come from, for messages
 */
public record PageImages(int page, int kind, ByteBuffer base, ByteBuffer delta, String source) {}
