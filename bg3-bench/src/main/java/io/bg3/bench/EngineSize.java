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
record EngineSize(int sources, long edges, long seed, long memory, int rounds, double seconds) {
  @Override
  public String toString() {
    return "data: sources="
        + sources
        + ", edges="
        + edges
        + ", seed="
        + seed
        + "; memory of each system="
        + memory
        + " bytes; rounds="
        + rounds
        + " of at least "
        + seconds
        + " s, median and half the range";
  }
}
