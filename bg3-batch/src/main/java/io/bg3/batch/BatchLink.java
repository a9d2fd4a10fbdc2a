package io.bg3.batch;

/**
 * A link as a response contains it.
 *
 * @param target id of the vertex that it enters
 * @param sortKey its place in the order of the source's links
 * @param visible whether lists and counts see it
 * @param properties those whose keys the request names
 */
public record BatchLink(long target, long sortKey, boolean visible, BatchProperties properties) {}
