package io.bg3.core.graph;

import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Transaction;
import java.util.Arrays;

/**
 * The codes of the labels that one transaction asks for, and the ranges in which the edges with
 * them stand. That a label has no code is noted as what was read ({@link AbsentLabels}). Belongs to
 * one transaction.
 */
final class LabelCodes {
  private final GraphStore store;
  private AbsentLabels absent; // null while there are none, as a rule

  LabelCodes(GraphStore store) {
    this.store = store;
  }

  private AbsentLabels absent() {
    if (absent == null) {
      absent = new AbsentLabels();
    }
    return absent;
  }

  /** Turns what was looked for under labels without codes into reads; before it commits. */
  void settle(Transaction transaction) {
    if (absent != null) {
      absent.settle(transaction, store.dictionary());
    }
  }

  private int find(Dictionary.Kind kind, String label) {
    return store.dictionary().find(kind, label);
  }

  /** The code of a label of vertices, 0 if no vertex has ever had it. */
  int ofVertices(String label) {
    int code = find(Dictionary.Kind.VERTEX_LABEL, label);
    if (code == 0) {
      absent().vertices(label);
    }
    return code;
  }

  /** The codes of those of some labels of vertices that have one. */
  int[] ofVertices(String... labels) {
    int[] codes = new int[labels.length];
    int found = 0;
    for (String label : labels) {
      int code = ofVertices(label);
      if (code != 0) {
        codes[found++] = code;
      }
    }
    return Arrays.copyOf(codes, found);
  }

  /** The code of a label of edges, of which all are looked for; 0 if no edge has ever had it. */
  int ofEdges(String label) {
    int code = find(Dictionary.Kind.EDGE_LABEL, label);
    if (code == 0) {
      absent().edges(label);
    }
    return code;
  }

  /** The codes of those of some labels of edges that have one; all their edges are looked for. */
  int[] ofEdges(String... labels) {
    int[] codes = new int[labels.length];
    int found = 0;
    for (String label : labels) {
      int code = ofEdges(label);
      if (code != 0) {
        codes[found++] = code;
      }
    }
    return Arrays.copyOf(codes, found);
  }

  /** The code of a label, of which the edges of one vertex are looked for; 0 if there is none. */
  int ofEdges(String label, long vertex, EdgeDirection direction) {
    int code = find(Dictionary.Kind.EDGE_LABEL, label);
    if (code == 0) {
      absent().edges(label, vertex, direction);
    }
    return code;
  }

  /**
   * Codes of all of some labels of edges; null if one has none. Nothing is noted: the caller then
   * reads the edges with these labels by {@link #ranges}.
   */
  int[] ofAllEdges(String... labels) {
    int[] codes = new int[labels.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = find(Dictionary.Kind.EDGE_LABEL, labels[i]);
      if (codes[i] == 0) {
        return null;
      }
    }
    return codes;
  }

  /** The number of labels that edges have ever had. */
  int edgeLabels() {
    return store.dictionary().count(Dictionary.Kind.EDGE_LABEL);
  }

  /** The ranges of the edges of some vertices with some labels, none for all. */
  EdgeRanges ranges(long[] vertices, int count, EdgeDirection direction, String... labels) {
    int[] codes = new int[labels.length];
    int found = 0;
    for (String label : labels) {
      if (label == null) {
        continue; // no edge has it
      }
      int code = find(Dictionary.Kind.EDGE_LABEL, label);
      if (code == 0) {
        for (int i = 0; i < count; i++) {
          absent().edges(label, vertices[i], direction);
        }
      } else {
        codes[found++] = code;
      }
    }
    return EdgeRanges.of(
        store.labels(), direction, labels.length == 0, Arrays.copyOf(codes, found));
  }

  /**
   * A range for each label that there is, in the order in which a scan of all edges shows them.
   * That there are no edges with other labels counts as read.
   */
  EdgeRanges rangesOfAll(
      Transaction transaction, long[] vertices, int count, EdgeDirection direction) {
    int[] codes = new int[edgeLabels()];
    Arrays.setAll(codes, i -> store.dictionary().ofNumber(Dictionary.Kind.EDGE_LABEL, i + 1));
    Arrays.sort(codes); // those with a time to live come last
    EdgeRanges all = EdgeRanges.of(store.labels(), direction, true);
    for (int range = 0; range < all.count(); range++) {
      for (int i = 0; i < count; i++) {
        transaction.readsEdges(vertices[i], all.low(range), all.high(range));
      }
    }
    return EdgeRanges.of(store.labels(), direction, false, codes);
  }
}
