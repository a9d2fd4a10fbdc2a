package io.bg3.linkbench.model;

/**
 * The number of visible links of a node by a type, as a load says it after adding them in bulk.
 *
 * @param id1 the node
 * @param type the type of the links
 * @param time the newest of their times
 * @param version the version of the last of them
 * @param count how many there are
 */
public record CountRow(long id1, long type, long time, long version, long count) {}
