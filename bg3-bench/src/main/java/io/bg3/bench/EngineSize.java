package io.bg3.bench;

import io.bg3.bench.work.Conditions;

/**
 * The size and the length of a run.
 *
 * @param sources vertices of the graph
 * @param edges its edges
 * @param seed of the graph and the questions
 * @param memory bytes of memory for each system
 * @param conditions under which they are measured
 * @param rounds measured repetitions
 * @param seconds the least that one of them takes
 * @param keepsList whether a load has all edges in the heap before it begins
 */
record EngineSize(
    int sources,
    long edges,
    long seed,
    long memory,
    Conditions conditions,
    int rounds,
    double seconds,
    boolean keepsList) {
  /** This size for loads that make the edges while they write them. */
  EngineSize withoutList() {
    return new EngineSize(sources, edges, seed, memory, conditions, rounds, seconds, false);
  }

  /** The settings that a loaded store depends on. */
  String data() {
    return "sources="
        + sources
        + ", edges="
        + edges
        + ", seed="
        + seed
        + ", memory="
        + memory
        + ", conditions="
        + conditions;
  }

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
        + " s, median and half the range\nconditions: "
        + conditions;
  }
}
