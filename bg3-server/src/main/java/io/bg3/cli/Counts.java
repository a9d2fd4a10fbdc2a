package io.bg3.cli;

import java.util.Locale;

/** Numbers of elements in words. */
final class Counts {
  private Counts() {}

  /** Such as {@code 1 vertex and 2,000 edges}. */
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
