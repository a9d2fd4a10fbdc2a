package io.bg3.cli;

import java.util.Locale;

/** Formats numbers of elements. */
final class Counts {
  private Counts() {}

  /** Returns a text such as {@code 1 vertex and 2,000 edges}. */
  static String of(long vertices, long edges) {
    return String.format(
        Locale.ROOT,
        "%,d %s and %,d %s",
        vertices,
        vertices == 1 ? "vertex" : "vertices",
        edges,
        edges == 1 ? "edge" : "edges");
  }
}
