package io.bg3.core.graph;

/**
 * The counters of a counted edge label as they are at one moment.
 *
 * @param state what they are in
 * @param done of how many vertices the edges were counted while the counters are built, since the
 *     store was opened
 * @param problem why building has stopped until the label is declared once more or the store is
 *     opened again; null if it has not
 */
public record CounterStatus(CounterState state, long done, String problem) {}
