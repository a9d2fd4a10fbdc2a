package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the counters of labels that have become counted. It lists the vertices with edges of the
 * label and adds 0 to the counter of each: a commit that adds to a counter which is not there
 * counts the edges first.
 *
 * <p>It lists them at several snapshots, each taken after the label was declared. A commit that
 * adds an edge after the snapshot makes the counter itself.
 */
final class CounterWorker extends LabelWorker {
  private static final Logger LOG = LoggerFactory.getLogger(CounterWorker.class);

  /** The stripes of so many vertices are held while their edges are counted. */
  private static final int MOST_VERTICES = 64;

  /** A batch that has read so many entries ends. */
  private static final int MOST_ENTRIES = 8_192;

  /** With more entries of one vertex than this, the next batch seeks what is behind them. */
  private static final int MOST_OF_ONE = 512;

  private final EdgeCounting counting;

  CounterWorker(EdgeCounting counting, TransactionManager transactions) {
    super(
        "bg3-counters",
        "building the counters of an edge label",
        counting,
        counting::unfinished,
        transactions);
    this.counting = counting;
  }

  @Override
  void work(EdgeLabel label) {
    long begin = System.nanoTime();
    if (build(label)) {
      counting.finish(label);
      LOG.info(
          "built the counters of an edge label: label={}, vertices={}, millis={}",
          label.name(),
          done(label),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
  }

  /** Builds all counters of a label; false if the thread is to end before. */
  private boolean build(EdgeLabel label) {
    byte[] first = progress(GraphKeys.counting(label.code()));
    return run(
        label,
        first,
        from -> {
          Vertices batch = list(label, from);
          count(label, batch);
          return new Batch(batch.ids.size(), batch.next);
        });
  }

  /**
   * Some vertices with edges of a label.
   *
   * @param next the key at which the next batch begins, {@link #END} if this is the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Vertices(List<Long> ids, byte[] next) {}

  /** The next vertices that have edges with a label, visible or hidden ones. */
  private Vertices list(EdgeLabel label, byte[] from) {
    List<Long> vertices = new ArrayList<>();
    long last = 0;
    int ofLast = 0;
    int read = 0;
    try (Transaction snapshot = snapshot();
        EdgeCursor cursor = snapshot.allEdges(EdgeTags.OUT, from, false)) {
      while (cursor.next()) {
        boolean isNew = read == 0 || cursor.owner() != last;
        if (isNew && (vertices.size() == MOST_VERTICES || read >= MOST_ENTRIES)) {
          return new Vertices(vertices, EdgeKey.prefix(cursor.owner()));
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
          return new Vertices(vertices, isCounted ? behind(last) : behind(last, found, label));
        }
      }
    }
    return new Vertices(vertices, END);
  }

  /** Has the counters of some vertices made, and notes where building goes on. */
  private void count(EdgeLabel label, Vertices batch) {
    commit(
        GraphKeys.counting(label.code()),
        batch.next,
        transaction -> {
          for (long vertex : batch.ids) {
            transaction.addCount(vertex, label.code(), 0);
          }
        });
  }
}
