package io.bg3.bench;

/**
 * How much is measured.
 *
 * @param sources vertices of the graph
 * @param edges its edges
 * @param seed of the graph and the questions
 * @param memory bytes of memory for each system
 * @param rounds measured repetitions
 * @param seconds the least that one of them takes
 */
record EngineSize(int sources, long edges, long seed, long memory, int rounds, double seconds) {}
