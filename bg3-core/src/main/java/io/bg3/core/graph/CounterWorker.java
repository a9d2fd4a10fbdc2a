package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
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
 * Builds the counters of labels that have become counted, beside writers, in a thread that is there
 * while there is work. It lists the vertices with edges of the label and adds 0 to the counter of
 * each: a commit that adds to a counter which is not there counts the edges first.
 *
 * <p>It lists them at several snapshots, each taken after the label was declared. A commit that
 * adds an edge after the snapshot makes the counter itself. One commit writes the counters of a
 * list and the progress, so a crash leaves them together.
 *
 * <p>Threads: any.
 */
final class CounterWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CounterWorker.class);

  /** The stripes of so many vertices are held while their edges are counted. */
  private static final int MOST_VERTICES = 64;

  /** A batch that has read so many entries ends. */
  private static final int MOST_ENTRIES = 8_192;

  /** With more entries of one vertex than this, the next batch seeks what is behind them. */
  private static final int MOST_OF_ONE = 512;

  private final EdgeCounting counting;
  private final TransactionManager transactions;
  private final WorkProgress<Integer> jobs = new WorkProgress<>();
  private final OnDemandThread<EdgeLabel> thread;
  private final PatientCommits commits;

  CounterWorker(EdgeCounting counting, TransactionManager transactions) {
    this.counting = counting;
    this.transactions = transactions;
    this.thread = new OnDemandThread<>("bg3-counters", counting, counting::unfinished, this::work);
    this.commits = new PatientCommits(transactions, thread::isClosed);
  }

  /** Works until nothing is left to do. The caller holds the monitor of {@link EdgeCounting}. */
  void start() {
    thread.start();
  }

  /** Ends the thread, after the batch that it is in. */
  @Override
  public void close() {
    thread.close();
  }

  /** Of how many vertices the edges with a label were counted. */
  long done(EdgeLabel label) {
    return jobs.done(label.code());
  }

  /** Why the work on a label has stopped; null if it has not. */
  String problem(EdgeLabel label) {
    return jobs.problem(label.code());
  }

  /** Forgets why the work on a label has stopped. */
  void forget(EdgeLabel label) {
    jobs.goOn(label.code());
  }

  private void work(EdgeLabel label) {
    long begin = System.nanoTime();
    try {
      if (build(label)) {
        counting.finish(label);
        LOG.info(
            "built the counters of an edge label: label={}, vertices={}, millis={}",
            label.name(),
            done(label),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
      }
    } catch (RuntimeException | Error e) {
      if (!thread.isClosed()) {
        jobs.stop(label.code(), String.valueOf(e.getMessage()));
        LOG.warn(
            "building the counters of an edge label has stopped; declare the label again or open"
                + " the store again to continue: label={}",
            label.name(),
            e);
      }
    }
  }

  /** Builds all counters of a label; false if the thread is to end before. */
  private boolean build(EdgeLabel label) {
    byte[] from = progress(label);
    while (from == null || from.length > 0) {
      if (thread.isClosed()) {
        return false;
      }
      Batch batch = list(label, from);
      count(label, batch);
      jobs.add(label.code(), batch.vertices.size());
      from = batch.next;
    }
    return true;
  }

  /** The key of an entry at which building goes on: null for the first, empty at the end. */
  private byte[] progress(EdgeLabel label) {
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true)) {
      return snapshot.get(TreeIds.META, GraphKeys.counting(label.code()));
    }
  }

  /**
   * Some vertices with edges of a label.
   *
   * @param next the key at which the next batch begins, empty if this is the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Batch(List<Long> vertices, byte[] next) {}

  /** The next vertices that have edges with a label, visible or hidden ones. */
  private Batch list(EdgeLabel label, byte[] from) {
    List<Long> vertices = new ArrayList<>();
    long last = 0;
    int ofLast = 0;
    int read = 0;
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true);
        EdgeCursor cursor = snapshot.allEdges(EdgeTags.OUT, from, false)) {
      while (cursor.next()) {
        boolean isNew = read == 0 || cursor.owner() != last;
        if (isNew && (vertices.size() == MOST_VERTICES || read >= MOST_ENTRIES)) {
          return new Batch(vertices, EdgeKey.prefix(cursor.owner()));
        }
        last = cursor.owner();
        ofLast = isNew ? 1 : ofLast + 1;
        read++;
        int found = EdgeTags.label(cursor.tagLabel());
        boolean isCounted = !vertices.isEmpty() && vertices.get(vertices.size() - 1) == last;
        if (found == label.code() && !isCounted) {
          vertices.add(last);
          isCounted = true;
        }
        if (ofLast > MOST_OF_ONE) {
          boolean isBefore = !isCounted && found < label.code();
          byte[] next =
              isBefore
                  ? EdgeKey.prefix(last, EdgeTags.out(label.code()))
                  : EdgeKey.after(EdgeKey.prefix(last));
          return new Batch(vertices, next == null ? new byte[0] : next);
        }
      }
    }
    return new Batch(vertices, new byte[0]);
  }

  /** Has the counters of some vertices made, and notes where building goes on. */
  private void count(EdgeLabel label, Batch batch) {
    commits.retry(
        Isolation.STRICT,
        transaction -> {
          for (long vertex : batch.vertices) {
            transaction.addCount(vertex, label.code(), 0);
          }
          transaction.put(TreeIds.META, GraphKeys.counting(label.code()), batch.next);
          return null;
        });
  }
}
