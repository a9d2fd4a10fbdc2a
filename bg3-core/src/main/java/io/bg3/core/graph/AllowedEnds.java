package io.bg3.core.graph;

import java.util.Arrays;
import java.util.List;

/**
 * Which vertices the edges with a label may join: the labels that their ends may have, of a vertex
 * with several the first.
 *
 * @param sources of the vertices that they leave, each once and in the order of the alphabet; none
 *     for all
 * @param targets of the vertices that they enter, likewise
 */
public record AllowedEnds(List<String> sources, List<String> targets) {
  private static final AllowedEnds ANY = new AllowedEnds(List.of(), List.of());

  /** The ends that are allowed. */
  public AllowedEnds {
    sources = sources.stream().distinct().sorted().toList();
    targets = targets.stream().distinct().sorted().toList();
  }

  /** All vertices are allowed. */
  public static AllowedEnds any() {
    return ANY;
  }

  /**
   * These, and of the vertices that the edges leave those with one of some labels; none for all.
   */
  public AllowedEnds from(String... labels) {
    return new AllowedEnds(Arrays.asList(labels), targets);
  }

  /**
   * These, and of the vertices that the edges enter those with one of some labels; none for all.
   */
  public AllowedEnds to(String... labels) {
    return new AllowedEnds(sources, Arrays.asList(labels));
  }

  /** Whether all vertices are allowed. */
  boolean isAny() {
    return sources.isEmpty() && targets.isEmpty();
  }

  /** As {@code bg3.schema.define} takes them. */
  @Override
  public String toString() {
    String from = sources.isEmpty() ? "" : "sources:" + sources;
    String to = targets.isEmpty() ? "" : "targets:" + targets;
    return from + (from.isEmpty() || to.isEmpty() ? "" : ", ") + to;
  }
}
