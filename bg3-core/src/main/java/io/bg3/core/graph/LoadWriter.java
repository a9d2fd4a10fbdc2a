package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.sort.SortedEntries;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.SchemaChangedException;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Writes the sorted entries of a {@link GraphLoad} by commits of some thousand. Belongs to one
 * thread.
 *
 * <p>An edge whose id another edge has got before is left out: its out-entry is not written. Its
 * in-entry may stand before that, and is written; {@link #removeHalves} removes it, before the mark
 * of the load goes (R37).
 */
final class LoadWriter implements AutoCloseable {
  /** Entries of a commit. */
  private static final int MOST_ENTRIES = 4_000;

  /** Bytes of the values of a commit, but for a longer one that is alone. */
  private static final int MOST_VALUE_BYTES = 1 << 18;

  private final GraphStore store;
  private final TransactionManager transactions;
  private final Map<String, Integer> labels;
  private final LongConsumer progress;
  private final GraphLoad.LeftOut leftOut;

  /** Edges that were left out, whose in-entries stand. */
  private final List<EdgeId> halves = new ArrayList<>();

  /** Of the commit that is being filled. */
  private Transaction transaction;

  private int entries;
  private long valueBytes;

  /**
   * @param labels of the edges, with their codes
   * @param progress is told how many more entries have been committed
   */
  LoadWriter(
      GraphStore store,
      TransactionManager transactions,
      Map<String, Integer> labels,
      LongConsumer progress,
      GraphLoad.LeftOut leftOut) {
    this.store = store;
    this.transactions = transactions;
    this.labels = labels;
    this.progress = progress;
    this.leftOut = leftOut;
  }

  /** Writes all entries; {@link #commit} commits the last of them. */
  void write(SortedEntries sorted) throws IOException {
    long owner = 0;
    int tagLabel = -1;
    long other = 0;
    int sequence = 0;
    EdgeLabel form = null;
    while (sorted.next()) {
      boolean newOwner = tagLabel == -1 || sorted.owner() != owner;
      boolean newLabel = newOwner || sorted.tagLabel() != tagLabel;
      boolean parallel = !newLabel && sorted.other() == other;
      sequence = parallel ? sequence + 1 : 0;
      Limit.PARALLEL_EDGES.check(Integer.toUnsignedLong(sequence));
      owner = sorted.owner();
      tagLabel = sorted.tagLabel();
      other = sorted.other();
      byte[] value = sorted.value();
      makeRoom(value.length);
      if (newOwner && !transaction.exists(TreeIds.VERTICES, GraphKeys.vertex(owner))) {
        throw missing(owner, tagLabel, other);
      }
      if (EdgeTags.tag(tagLabel) == EdgeTags.OUT) {
        form = newLabel ? store.labels().of(EdgeTags.label(tagLabel)) : form;
        putOut(new EdgeId(owner, EdgeTags.label(tagLabel), other, sequence), value, form);
      } else {
        transaction.putNewEdge(owner, tagLabel, other, sequence, value);
      }
    }
  }

  /** Writes what stands under the source, unless another edge has its id. */
  private void putOut(EdgeId edge, byte[] value, EdgeLabel form) {
    boolean ordered = form != null && form.isOrdered();
    LoadedEdge loaded = LoadedEdge.decode(value, ordered);
    if (loaded.id() != null && !putId(loaded, edge)) {
      return;
    }
    long source = edge.source();
    int label = edge.label();
    byte[] out = loaded.record();
    if (ordered) {
      transaction.putNewEdge(
          source,
          EdgeTags.index(label),
          form.sorted(loaded.sortKey()),
          edge.target(),
          edge.sequence(),
          loaded.record());
      out = OrderedEntry.visible(loaded.sortKey(), loaded.id() != null);
    }
    transaction.putNewEdge(source, EdgeTags.out(label), edge.target(), edge.sequence(), out);
    transaction.addTotal(EdgeTags.ALL_EDGES, 1);
    transaction.addTotal(EdgeTags.edgesWith(label), 1);
    if (form != null && form.keepsCounters()) {
      transaction.addCount(source, label, 1);
    }
  }

  /** Writes the entry by which an edge is found under its id; false if it is that of another. */
  private boolean putId(LoadedEdge loaded, EdgeId edge) {
    byte[] key = Edges.idKey(loaded.id());
    if (!transaction.exists(TreeIds.EDGE_IDS, key)) {
      transaction.put(TreeIds.EDGE_IDS, key, GraphKeys.edge(edge));
      return true;
    }
    DuplicateIdException twice = new DuplicateIdException("edge", loaded.id());
    if (halves.size() == GraphLoad.MOST_LEFT_OUT) {
      throw twice;
    }
    leftOut.leftOut(loaded.place(), twice);
    halves.add(edge);
    entries--; // the removal of its in-entry counts in its place
    return false;
  }

  /** Removes the in-entries of the edges that were left out, as {@link #write} does. */
  void removeHalves() {
    for (EdgeId half : halves) {
      makeRoom(0);
      transaction.deleteEdge(
          half.target(), EdgeTags.in(half.label()), half.source(), half.sequence());
    }
  }

  private static MissingElementException missing(long owner, int tagLabel, long other) {
    boolean isSource = EdgeTags.tag(tagLabel) == EdgeTags.OUT;
    long source = isSource ? owner : other;
    long target = isSource ? other : owner;
    return new MissingElementException(
        "the " + (isSource ? "source" : "target") + " of an edge",
        owner + ", edge=" + new EdgeId(source, EdgeTags.label(tagLabel), target, 0));
  }

  /** Commits if one more entry would make the commit too large, and begins the next one. */
  private void makeRoom(int valueLength) {
    if (entries == MOST_ENTRIES || (entries > 0 && valueBytes + valueLength > MOST_VALUE_BYTES)) {
      commit();
    }
    if (transaction == null) {
      transaction = transactions.begin(Isolation.SNAPSHOT, false);
    }
    entries++;
    valueBytes += valueLength;
  }

  /** Commits what has been written since the last commit. */
  void commit() {
    if (transaction != null) {
      boolean committed = false;
      while (!committed) {
        committed = tryCommit();
      }
      transaction = null;
      progress.accept(entries);
      entries = 0;
      valueBytes = 0;
    }
  }

  /** Commits; false if an index has come or gone, so that it has to be looked again. */
  private boolean tryCommit() {
    IndexCatalogue now = store.graphIndexes().current();
    for (Map.Entry<String, Integer> label : labels.entrySet()) {
      if (now.holds(ElementKind.EDGE, label.getValue())) {
        throw new IllegalStateException(
            "an index of edges was created while a load fills the store; load again, and create it"
                + " after the load: label="
                + label.getKey());
      }
    }
    transaction.madeEntriesAt(now.changes());
    try {
      transaction.commit();
      return true;
    } catch (SchemaChangedException e) {
      return false;
    }
  }

  /** Discards what is not committed. */
  @Override
  public void close() {
    if (transaction != null) {
      transaction.rollback();
      transaction = null;
    }
  }
}
