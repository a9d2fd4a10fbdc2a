package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import java.util.Arrays;

/**
 * Ranges of tag and label in which the edges of a vertex are found. Edges with an ordered label are
 * read in their order, where also their properties are; all others out of their source or into
 * their target. Belongs to one thread.
 */
final class EdgeRanges {
  private int[] bounds = new int[4];
  private int count;

  /** The edges with these labels, none for all. */
  static EdgeRanges of(EdgeLabels labels, EdgeDirection direction, boolean all, int... codes) {
    EdgeRanges ranges = new EdgeRanges();
    if (direction != EdgeDirection.IN) {
      if (all) {
        ranges.addAllOut(labels);
      }
      for (int code : codes) {
        EdgeLabel label = labels.of(code);
        int tagLabel = label == null ? EdgeTags.out(code) : label.visibleEntries();
        ranges.add(tagLabel, tagLabel);
      }
    }
    if (direction != EdgeDirection.OUT) {
      if (all) {
        ranges.add(EdgeTags.in(0), EdgeTags.in(EdgeId.MAX_LABEL));
      }
      for (int code : codes) {
        ranges.add(EdgeTags.in(code), EdgeTags.in(code));
      }
    }
    return ranges;
  }

  /** The entries, out and in, of all edges that do not outlive their vertices. */
  static EdgeRanges ofFirm(EdgeLabels labels) {
    EdgeRanges ranges = new EdgeRanges();
    int next = EdgeTags.out(0);
    for (EdgeLabel label : labels.declared()) {
      if (label.isLoose()) {
        ranges.addUnlessEmpty(next, EdgeTags.out(label.code() - 1));
        next = EdgeTags.out(label.code() + 1);
      }
    }
    ranges.add(next, EdgeTags.in(EdgeId.MAX_LABEL));
    return ranges;
  }

  private void addAllOut(EdgeLabels labels) {
    int next = EdgeTags.out(0);
    for (EdgeLabel label : labels.ordered()) {
      addUnlessEmpty(next, EdgeTags.out(label.code() - 1));
      add(EdgeTags.index(label.code()), EdgeTags.index(label.code()));
      next = EdgeTags.out(label.code() + 1);
    }
    addUnlessEmpty(next, EdgeTags.out(EdgeId.MAX_LABEL));
  }

  private void addUnlessEmpty(int low, int high) {
    if (low <= high) {
      add(low, high);
    }
  }

  private void add(int low, int high) {
    if (2 * count == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * count] = low;
    bounds[2 * count + 1] = high;
    count++;
  }

  int count() {
    return count;
  }

  /** First tag and label of a range. */
  int low(int range) {
    return bounds[2 * range];
  }

  /** Last tag and label of a range. */
  int high(int range) {
    return bounds[2 * range + 1];
  }
}
