package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The look-ups of a transaction under labels that had no code: there was nothing, and no key that
 * could be remembered as read. Before the transaction commits, each such look-up becomes a read
 * that can be validated:
 *
 * <ul>
 *   <li>The label still has no code: that is the read.
 *   <li>It has got one, from this transaction or another: then what was looked for has a key now.
 *       At this transaction's snapshot there is still nothing under it, and the commit finds out
 *       whether that has changed.
 * </ul>
 *
 * <p>So a transaction that looks for a label and then is the first to use it does not conflict with
 * itself, and of two that both do so only one commits.
 */
final class AbsentLabels {
  /** Above this many vertices of one label, the label's total is read instead of each vertex. */
  private static final int MOST_VERTICES = 1000;

  private Set<String> ofVertices = Set.of(); // as a rule there is nothing
  private Map<String, Set<Looked>> ofEdges = Map.of();

  /** A vertex at which edges were looked for; null where they were looked for everywhere. */
  private record Looked(Long vertex, EdgeDirection direction) {}

  private static final Looked EVERYWHERE = new Looked(null, EdgeDirection.BOTH);

  /** Vertices with this first label were looked for. */
  void vertices(String label) {
    if (ofVertices.isEmpty()) {
      ofVertices = new HashSet<>();
    }
    ofVertices.add(label);
  }

  /** Edges with this label were looked for. */
  void edges(String label) {
    ofEdge(label).add(EVERYWHERE);
  }

  /** Edges of one vertex with this label were looked for. */
  void edges(String label, long vertex, EdgeDirection direction) {
    Set<Looked> looked = ofEdge(label);
    if (looked.size() >= MOST_VERTICES) {
      looked.clear();
      looked.add(EVERYWHERE);
    } else if (!looked.contains(EVERYWHERE)) {
      looked.add(new Looked(vertex, direction));
    }
  }

  private Set<Looked> ofEdge(String label) {
    if (ofEdges.isEmpty()) {
      ofEdges = new HashMap<>();
    }
    return ofEdges.computeIfAbsent(label, l -> new HashSet<>());
  }

  /** Turns what was looked for into reads of a transaction that writes. */
  void settle(Transaction transaction, Dictionary dictionary) {
    if (!transaction.hasWrites()) {
      return;
    }
    for (String label : ofVertices) {
      int code = dictionary.find(Dictionary.Kind.VERTEX_LABEL, label);
      if (code == 0) {
        transaction.findCode(Dictionary.Kind.VERTEX_LABEL, label);
      } else {
        transaction.total(EdgeTags.verticesWith(code));
      }
    }
    ofEdges.forEach(
        (label, looked) -> {
          int code = dictionary.find(Dictionary.Kind.EDGE_LABEL, label);
          if (code == 0) {
            transaction.findCode(Dictionary.Kind.EDGE_LABEL, label);
          } else {
            looked.forEach(one -> read(transaction, code, one));
          }
        });
  }

  private static void read(Transaction transaction, int code, Looked looked) {
    if (looked.vertex() == null && EdgeKey.hasTtl(code)) {
      transaction.readsAllEdges(); // they are in no total
      return;
    }
    if (looked.vertex() == null) {
      transaction.total(EdgeTags.edgesWith(code));
      return;
    }
    if (looked.direction() != EdgeDirection.IN) {
      readAll(transaction, looked.vertex(), EdgeTags.out(code));
    }
    if (looked.direction() != EdgeDirection.OUT) {
      readAll(transaction, looked.vertex(), EdgeTags.in(code));
    }
  }

  private static void readAll(Transaction transaction, long vertex, int tagLabel) {
    try (EdgeCursor cursor =
        transaction.edges(vertex, tagLabel, tagLabel, false, ScanOrder.FORWARD)) {
      boolean more = true; // its own edges: what counts is that the range is read to its end
      while (more) {
        more = cursor.next();
      }
    }
  }
}
