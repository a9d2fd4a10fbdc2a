package io.bg3.core.graph;

/**
 * A property index as it is at one moment.
 *
 * @param label the vertices that it holds, by their first label; null for all
 * @param key the property key whose values it holds
 * @param unique whether no two of its vertices have a value in common
 * @param state what it is in
 * @param done how many vertices have been read for it while it is built, or how many entries have
 *     been removed while it is dropped, since the store was opened
 * @param problem why building or dropping has stopped until the store is opened again; null if it
 *     has not
 */
public record IndexStatus(
    String label, String key, boolean unique, IndexState state, long done, String problem) {}
