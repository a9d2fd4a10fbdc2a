package io.bg3.gremlin.process.traversal.step.map;

/** The kinds of results of {@link Bg3VertexStep}. */
public enum HopResults {
  /** Each neighbour. */
  NEIGHBOURS,
  /** Each neighbour, of which the steps behind read labels or properties. */
  NEIGHBOURS_TO_READ,
  /** Each neighbour once, with a bulk of 1: for {@code dedup()}. */
  DIFFERENT,
  /** Likewise, of which the steps behind read labels or properties. */
  DIFFERENT_TO_READ,
  /** Each traverser with the number of its neighbours or edges, in front of {@code count()}. */
  COUNT,
  /** As {@link #COUNT}, of all traversers together so many at most: {@code limit().count()}. */
  COUNT_LIMITED,
  /** As {@link #COUNT}, and each neighbour counts once: for {@code dedup().count()}. */
  COUNT_DIFFERENT;

  /** Whether the step counts. */
  public boolean counts() {
    return this == COUNT || this == COUNT_LIMITED || this == COUNT_DIFFERENT;
  }

  /** Whether the step may count edges, and no more than a number of them. */
  boolean countsEdges() {
    return this == COUNT || this == COUNT_LIMITED;
  }

  /** Whether labels or properties of the results are read. */
  boolean areRead() {
    return this == NEIGHBOURS_TO_READ || this == DIFFERENT_TO_READ;
  }

  /** Whether the step gives each neighbour once. */
  boolean areDifferent() {
    return this == DIFFERENT || this == DIFFERENT_TO_READ;
  }

  /** The word for people; empty if the step gives each neighbour and no more. */
  String shown() {
    return switch (this) {
      case NEIGHBOURS -> "";
      case NEIGHBOURS_TO_READ -> "read";
      case DIFFERENT -> "dedup";
      case DIFFERENT_TO_READ -> "dedup,read";
      case COUNT -> "count";
      case COUNT_LIMITED -> "limit,count";
      case COUNT_DIFFERENT -> "dedup,count";
    };
  }
}
