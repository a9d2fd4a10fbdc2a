package io.bg3.core.graph;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.record.RecordReader;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of {@link GraphCheck} that is about edges whose labels were declared, and what only they
 * have: entries in an order, and counters. Goes through all entries of all owners once.
 */
final class DeclaredEdgesCheck {
  private final GraphCheck check;
  private final EdgeLabels labels;
  private final Transaction transaction;
  private final OrderedEdges ordered;

  /** Visible edges of the owner so far, by label; only of labels that are counted. */
  private final Map<Integer, Long> counted = new TreeMap<>();

  private long owner;

  DeclaredEdgesCheck(
      GraphCheck check, EdgeLabels labels, Transaction transaction, OrderedEdges ordered) {
    this.check = check;
    this.labels = labels;
    this.transaction = transaction;
    this.ordered = ordered;
  }

  void run() {
    try (EdgeCursor cursor = transaction.allEdges(Transaction.ANY_TAG, true)) {
      while (!check.full() && cursor.next()) {
        if (cursor.owner() != owner) {
          endOwner();
          owner = cursor.owner();
        }
        try {
          look(cursor);
        } catch (CorruptionException e) {
          check.problem("C1", "entry of vertex " + owner + ", " + e.getMessage());
        }
      }
      endOwner();
    }
  }

  private void look(EdgeCursor cursor) {
    int code = EdgeTags.label(cursor.tagLabel());
    EdgeLabel label = labels.of(code);
    switch (EdgeTags.tag(cursor.tagLabel())) {
      case EdgeTags.OUT -> {
        if (label != null && label.isOrdered()) {
          out(label, edge(cursor, code), OrderedEntry.decode(cursor.value()));
        } else if (label != null) {
          countEdge(label);
          if (label.added() != null) {
            outOfAdded(label, edge(cursor, code), cursor.value());
          }
        }
      }
      case EdgeTags.IN -> {
        if (label != null && label.isLoose()) {
          check.problem(
              "C7", "a loose edge has an entry under its target: edge=" + turned(cursor, code));
        }
      }
      case EdgeTags.INDEX -> inOrder(label, edge(cursor, code), cursor.sortKey());
      default -> {
        if (!DegreeKey.isOne(cursor.tagLabel())) {
          counter(label, code, cursor.value());
        }
      }
    }
  }

  private static EdgeId edge(EdgeCursor cursor, int label) {
    return new EdgeId(cursor.owner(), label, cursor.other(), cursor.sequence());
  }

  private static EdgeId turned(EdgeCursor cursor, int label) {
    return new EdgeId(cursor.other(), label, cursor.owner(), cursor.sequence());
  }

  private void out(EdgeLabel label, EdgeId edge, OrderedEntry entry) {
    byte[] bytes;
    try {
      bytes = ordered.record(label, edge, entry);
    } catch (CorruptionException e) {
      check.problem("C7", "a visible edge is not in its order: " + e.getMessage());
      return;
    }
    EdgeRecord record = EdgeRecord.decode(bytes);
    check.properties(edge, record);
    if (entry.isNamed() != (record.userId() != null)) {
      check.problem("C4", "an id or none: edge=" + edge + ", named=" + entry.isNamed());
    }
    check.named(edge, record);
    if (record.property(label.sortKeyCode()) != null) {
      check.problem("C7", "the sort key stands among the properties: edge=" + edge);
    }
    if (!entry.isHidden()) {
      check.countEdge(edge.label());
      EdgeRecord whole = record.withSortKey(label.sortKeyCode(), entry.sortKey());
      check.entriesOf(edge, whole);
      check.meetsSchema(edge, whole);
      record.remove(label.sortKeyCode());
      if (!label.isLoose()) {
        check.underTarget(edge, record);
      }
    } else if (!label.isLoose() && inEntry(edge) != null) {
      check.problem("C7", "a hidden edge has an entry under its target: edge=" + edge);
    }
  }

  /** Looks for the entry of an edge in an order that its label has got later (R49). */
  private void outOfAdded(EdgeLabel label, EdgeId edge, byte[] value) {
    if (!label.isSorted(transaction.snapshot())) {
      return; // the entry may not be there yet
    }
    EdgeRecord record = EdgeRecord.decode(value);
    Long sortKey = OrderEntries.sortKey(record, label.added());
    if (sortKey == null) {
      check.problem("C7", "an edge of an ordered label has no sort key: edge=" + edge);
      return;
    }
    record.remove(label.sortKeyCode());
    byte[] found =
        transaction.edgeValue(
            edge.source(),
            EdgeTags.index(edge.label()),
            label.sorted(sortKey),
            edge.target(),
            edge.sequence());
    if (found == null || !Arrays.equals(found, record.encode())) {
      check.problem(
          "C7",
          (found == null ? "an edge is not in its order" : "the entry in the order differs")
              + ": edge="
              + edge
              + ", sortKey="
              + sortKey);
    }
  }

  /** Looks for the edge of an entry in an order that its label has got later. */
  private void inAddedOrder(EdgeLabel label, EdgeId edge, long sorted) {
    byte[] out =
        transaction.edgeValue(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
    Long sortKey = out == null ? null : OrderEntries.sortKey(EdgeRecord.decode(out), label.added());
    if (sortKey == null || label.sorted(sortKey) != sorted) {
      ofNoEdge(label, edge, sorted);
    }
  }

  private void ofNoEdge(EdgeLabel label, EdgeId edge, long sorted) {
    check.problem(
        "C7",
        "an entry in the order of no visible edge: edge="
            + edge
            + ", sortKey="
            + label.sorted(sorted));
  }

  private byte[] inEntry(EdgeId edge) {
    return transaction.edgeValue(
        edge.target(), EdgeTags.in(edge.label()), edge.source(), edge.sequence());
  }

  private void inOrder(EdgeLabel label, EdgeId edge, long sorted) {
    if (label != null && label.added() != null) {
      inAddedOrder(label, edge, sorted);
      return;
    }
    if (label == null || !label.isOrdered()) {
      check.problem("C7", "an entry in an order that its label does not have: edge=" + edge);
      return;
    }
    OrderedEntry entry = ordered.entry(edge);
    if (entry == null || entry.isHidden() || label.sorted(entry.sortKey()) != sorted) {
      ofNoEdge(label, edge, sorted);
    }
    countEdge(label);
  }

  private void countEdge(EdgeLabel label) {
    if (label.keepsCounters()) {
      counted.merge(label.code(), 1L, Long::sum);
    }
  }

  private void counter(EdgeLabel label, int code, byte[] value) {
    if (label == null || !label.keepsCounters()) {
      check.problem("C8", "a counter of edges that are not: vertex=" + owner + ", label=" + code);
      return;
    }
    RecordReader from = new RecordReader("counter", value);
    long kept = from.varint();
    from.end();
    Long found = counted.remove(code);
    if (found == null || found != kept) {
      drifted(code, kept, found == null ? 0 : found);
    }
  }

  private void endOwner() {
    counted.forEach(
        (code, found) -> {
          if (labels.of(code).isCounted(transaction.snapshot())) { // else it may have none yet
            drifted(code, 0, found);
          }
        });
    counted.clear();
  }

  private void drifted(int code, long kept, long found) {
    check.problem(
        "C8",
        "counter of edges: vertex="
            + owner
            + ", label="
            + code
            + ", kept="
            + kept
            + ", counted="
            + found);
  }
}
