package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.thread.OnDemandThread;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the orders of labels that have become ordered, beside writers, in a thread that is there
 * while there is work. First it looks whether each edge has the sort key, then it adds each edge to
 * the order.
 *
 * <p>It does both at several snapshots, each taken after commits began to require the sort key, or
 * to keep the order: an edge that it does not meet was written by a commit that has done so. It
 * reads an edge anew in the transaction that adds it, which commits only if the edge is still the
 * same. Entries and progress are one commit, so a crash leaves them together.
 *
 * <p>Threads: any.
 */
final class OrderWorker implements AutoCloseable {
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
  private final TransactionManager transactions;
  private final WorkProgress<Integer> jobs = new WorkProgress<>();
  private final OnDemandThread<EdgeLabel> thread;
  private final PatientCommits commits;

  OrderWorker(EdgeOrdering ordering, TransactionManager transactions) {
    this.ordering = ordering;
    this.transactions = transactions;
    this.thread = new OnDemandThread<>("bg3-orders", ordering, ordering::unfinished, this::work);
    this.commits = new PatientCommits(transactions, thread::isClosed);
  }

  /** Works until nothing is left to do. The caller holds the monitor of {@link EdgeOrdering}. */
  void start() {
    thread.start();
  }

  /** Ends the thread, after the batch that it is in. */
  @Override
  public void close() {
    thread.close();
  }

  /** How many edges of a label were looked at, and then added. */
  long done(EdgeLabel label) {
    return jobs.done(label.code());
  }

  /** Why the work on a label has stopped; null if it has not. */
  String problem(EdgeLabel label) {
    return jobs.problem(label.code());
  }

  /** Says why the work on a label has stopped. */
  void stop(EdgeLabel label, String problem) {
    jobs.stop(label.code(), problem);
  }

  /** Begins to count anew. */
  void forget(EdgeLabel label) {
    jobs.forget(label.code());
  }

  private void work(EdgeLabel label) {
    long begin = System.nanoTime();
    try {
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
    } catch (RuntimeException | Error e) {
      if (!thread.isClosed()) {
        stop(label, String.valueOf(e.getMessage()));
        LOG.warn(
            "building the order of an edge label has stopped; declare the label again or open the"
                + " store again to continue: label={}",
            label.name(),
            e);
      }
    }
  }

  /** Looks whether each edge has the sort key; false if the thread is to end before. */
  private boolean verify(EdgeLabel label) {
    byte[] from = null;
    String problem = null;
    while (problem == null && (from == null || from.length > 0)) {
      if (thread.isClosed()) {
        return false;
      }
      Batch batch = list(label, from);
      problem = batch.problem;
      jobs.add(label.code(), batch.edges.size());
      from = batch.next;
    }
    if (problem == null) {
      jobs.countAnew(label.code());
      ordering.build(label);
    } else {
      ordering.fail(label, problem);
    }
    return true;
  }

  /** Adds all edges with a label to its order; false if the thread is to end before. */
  private boolean build(EdgeLabel label) {
    byte[] from = progress(label);
    while (from == null || from.length > 0) {
      if (thread.isClosed()) {
        return false;
      }
      Batch batch = list(label, from);
      add(label, batch);
      jobs.add(label.code(), batch.edges.size());
      from = batch.next;
    }
    ordering.finish(label);
    return true;
  }

  /** The key of an entry at which building goes on: null for the first, empty at the end. */
  private byte[] progress(EdgeLabel label) {
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true)) {
      return snapshot.get(TreeIds.META, GraphKeys.ordering(label.code()));
    }
  }

  /**
   * Some edges with a label.
   *
   * @param problem what is wrong with one that has no sort key; null if all have one
   * @param next the key at which the next batch begins, empty if this is the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Batch(List<EdgeId> edges, String problem, byte[] next) {}

  /** The next edges with a label. */
  private Batch list(EdgeLabel label, byte[] from) {
    List<EdgeId> edges = new ArrayList<>();
    long bytes = 0;
    int read = 0;
    int others = 0;
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true);
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
            return new Batch(edges, OrderEntries.problem(label, edge, record), key);
          }
        } else if (++others > MOST_OF_OTHERS) {
          return new Batch(edges, null, behind(owner, code, label));
        }
        if (edges.size() == MOST_EDGES || bytes >= MOST_BYTES || ++read >= MOST_ENTRIES) {
          return new Batch(edges, null, KeySpace.successor(key));
        }
      }
    }
    return new Batch(edges, null, new byte[0]);
  }

  /** The first key that an edge with a label may have behind the entries of another label. */
  private static byte[] behind(long owner, int code, EdgeLabel label) {
    byte[] next =
        code < label.code()
            ? EdgeKey.prefix(owner, EdgeTags.out(label.code()))
            : EdgeKey.after(EdgeKey.prefix(owner));
    return next == null ? new byte[0] : next;
  }

  /** Adds edges to the order, and notes where building goes on. */
  private void add(EdgeLabel label, Batch batch) {
    AddedOrder added = label.added();
    commits.retry(
        Isolation.STRICT,
        transaction -> {
          for (EdgeId edge : batch.edges) {
            put(transaction, label, added, edge);
          }
          transaction.put(TreeIds.META, GraphKeys.ordering(label.code()), batch.next);
          return null;
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
