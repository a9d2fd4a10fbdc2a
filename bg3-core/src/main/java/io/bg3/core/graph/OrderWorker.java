package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the orders of labels that have become ordered. First it looks whether each edge has the
 * sort key, then it adds each edge to the order.
 *
 * <p>It does both at several snapshots, each taken after commits began to require the sort key, or
 * to keep the order: an edge that it does not meet was written by a commit that has done so. It
 * reads an edge anew in the transaction that adds it, which commits only if the edge is still the
 * same.
 */
final class OrderWorker extends LabelWorker {
  private static final Logger LOG = LoggerFactory.getLogger(OrderWorker.class);

  /** Edges of the label that are read at one snapshot, and added by one commit. */
  private static final int MOST_EDGES = 1_024;

  /** A batch that has read so many bytes of records ends. */
  private static final int MOST_BYTES = 1 << 18;

  /** A batch that has read so many entries ends. */
  private static final int MOST_ENTRIES = 8_192;

  /** With more entries of other labels in a row than this, the next batch seeks what is behind. */
  private static final int MOST_OF_OTHERS = 512;

  private final EdgeOrdering ordering;

  OrderWorker(EdgeOrdering ordering, TransactionManager transactions) {
    super(
        "bg3-orders",
        "building the order of an edge label",
        ordering,
        ordering::unfinished,
        transactions);
    this.ordering = ordering;
  }

  @Override
  void work(EdgeLabel label) {
    long begin = System.nanoTime();
    boolean isKept = label.added().isKept();
    boolean ended = isKept ? build(label) : verify(label);
    if (ended) {
      LOG.info(
          "verified or built the order of an edge label: label={}, state={}, edges={}, millis={}",
          label.name(),
          ordering.status(label).state(),
          done(label),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
  }

  /** Looks whether each edge has the sort key; false if the thread is to end before. */
  private boolean verify(EdgeLabel label) {
    String[] problem = new String[1];
    boolean ended =
        run(
            label,
            null,
            from -> {
              ListedEdges batch = list(label, from);
              problem[0] = batch.problem;
              return new Batch(batch.ids.size(), batch.problem == null ? batch.next : END);
            });
    if (!ended) {
      return false;
    }
    if (problem[0] == null) {
      countAnew(label);
      ordering.build(label);
    } else {
      ordering.fail(label, problem[0]);
    }
    return true;
  }

  /** Adds all edges with a label to its order; false if the thread is to end before. */
  private boolean build(EdgeLabel label) {
    byte[] first = progress(GraphKeys.ordering(label.code()));
    boolean ended =
        run(
            label,
            first,
            from -> {
              ListedEdges batch = list(label, from);
              add(label, batch);
              return new Batch(batch.ids.size(), batch.next);
            });
    if (ended) {
      ordering.finish(label);
    }
    return ended;
  }

  /**
   * Some edges with a label.
   *
   * @param problem what is wrong with one that has no sort key; null if all have one
   * @param next the key at which the next batch begins, {@link #END} if this is the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record ListedEdges(List<EdgeId> ids, String problem, byte[] next) {}

  /** The next edges with a label. */
  private ListedEdges list(EdgeLabel label, byte[] from) {
    List<EdgeId> edges = new ArrayList<>();
    long bytes = 0;
    int read = 0;
    int others = 0;
    try (Transaction snapshot = snapshot();
        EdgeCursor cursor = snapshot.allEdges(EdgeTags.OUT, from, true)) {
      while (cursor.next()) {
        int code = EdgeTags.label(cursor.tagLabel());
        long owner = cursor.owner();
        byte[] key = EdgeKey.encode(owner, cursor.tagLabel(), cursor.other(), cursor.sequence());
        if (code == label.code()) {
          EdgeId edge = Edges.ofEntry(key);
          byte[] value = cursor.value();
          edges.add(edge);
          bytes += value.length;
          others = 0;
          EdgeRecord record = EdgeRecord.decode(value);
          if (OrderEntries.sortKey(record, label.added()) == null) {
            return new ListedEdges(edges, OrderEntries.problem(label, edge, record), key);
          }
        } else if (++others > MOST_OF_OTHERS) {
          return new ListedEdges(edges, null, behind(owner, code, label));
        }
        if (edges.size() == MOST_EDGES || bytes >= MOST_BYTES || ++read >= MOST_ENTRIES) {
          return new ListedEdges(edges, null, KeySpace.successor(key));
        }
      }
    }
    return new ListedEdges(edges, null, END);
  }

  /** Adds edges to the order, and notes where building goes on. */
  private void add(EdgeLabel label, ListedEdges batch) {
    AddedOrder added = label.added();
    commit(
        GraphKeys.ordering(label.code()),
        batch.next,
        transaction -> {
          for (EdgeId edge : batch.ids) {
            put(transaction, label, added, edge);
          }
        });
  }

  private static void put(Transaction transaction, EdgeLabel label, AddedOrder added, EdgeId edge) {
    byte[] value =
        transaction.edgeValue(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
    if (value != null) { // else it is gone
      EdgeRecord record = EdgeRecord.decode(value);
      Long sortKey = OrderEntries.sortKey(record, added);
      if (sortKey == null) {
        throw new IllegalStateException(OrderEntries.problem(label, edge, record));
      }
      OrderEntries.put(transaction, label, edge, sortKey, record, added);
    }
  }
}
