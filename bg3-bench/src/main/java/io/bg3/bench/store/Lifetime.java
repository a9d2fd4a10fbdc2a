package io.bg3.bench.store;

import java.util.Set;

/**
 * The edges that are gone some time after they were written.
 *
 * @param seconds how long they live
 * @param labels theirs; empty if all edges stay
 */
public record Lifetime(int seconds, Set<Integer> labels) {
  /** All edges stay. */
  public static final Lifetime NONE = new Lifetime(0, Set.of());

  /**
   * @throws IllegalArgumentException if edges would live for no time
   */
  public Lifetime {
    labels = Set.copyOf(labels);
    if (seconds < 1 && !labels.isEmpty()) {
      throw new IllegalArgumentException("edges live for at least a second: seconds=" + seconds);
    }
  }

  /** Whether the edges with a label are gone some time after they were written. */
  boolean isOf(int label) {
    return labels.contains(label);
  }
}
