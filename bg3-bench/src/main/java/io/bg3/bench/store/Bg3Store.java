package io.bg3.bench.store;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreStats;
import io.bg3.bench.data.EdgeValue;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.transaction.ValueView;
import io.bg3.core.tree.Neighbours;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;

/**
 * BG3 through the engine's transactions: what an application uses that embeds the engine without
 * TinkerPop. An edge is one entry: there are no in-entries, and neither end need be a vertex.
 */
final class Bg3Store implements BenchStore {
  private final Settings settings;
  private final Bg3 store;
  private final TransactionManager transactions;
  private final boolean handsOver;

  /** The codes of the labels whose edges expire, by the labels. */
  private final Map<Integer, Integer> expiring = new HashMap<>();

  Bg3Store(StoreOptions options) throws IOException {
    this.settings = settings(options);
    this.handsOver = options.sync() == Sync.HANDED_OVER;
    this.store = Bg3.open(settings);
    this.transactions = store.transactions();
    for (int label : options.lifetime().labels()) {
      expiring.put(label, declare(label, options.lifetime()));
    }
  }

  private int declare(int label, Lifetime lifetime) {
    long millis = TimeUnit.SECONDS.toMillis(lifetime.seconds());
    EdgeLabelForm form = EdgeLabelForm.plain().withTtl(millis);
    return store.graph().declareEdgeLabel("expiring-" + label, form).code();
  }

  /** Tag and label of the entries with a label. */
  private int tagLabel(int label) {
    return EdgeKey.tagLabel(EdgeKey.OUT, expiring.getOrDefault(label, label));
  }

  private static Settings settings(StoreOptions options) {
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, options.directory().toString())
            .with(Setting.MEMORY_BUDGET, Long.toString(options.memory()))
            .with(Setting.DURABILITY, options.sync() == Sync.EVERY_COMMIT ? "sync" : "none");
    for (Setting setting : Setting.values()) {
      String text = options.settings().get(setting.key());
      settings = text == null ? settings : settings.with(setting, text);
    }
    return settings;
  }

  @Override
  public StoreReader reader(int label) {
    return new Reader(label);
  }

  @Override
  public StoreWriter writer(boolean ascending) {
    return new Writer();
  }

  @Override
  public OrderedLists lists(int label) {
    return new Bg3Lists(transactions, handsOver, label);
  }

  @Override
  public void settle() throws IOException {
    store.checkpoint();
  }

  @Override
  public boolean hidesExpired() {
    return true;
  }

  @Override
  public String settings() {
    StringBuilder text = new StringBuilder("through Transaction;");
    for (Setting setting : Setting.values()) {
      if (settings.isSet(setting) && setting != Setting.DIRECTORY) {
        text.append(' ').append(setting.key()).append('=').append(settings.text(setting));
      }
    }
    text.append(", all else default");
    text.append(expiring.isEmpty() ? "" : ", a time to live for new edges");
    return text.append(handsOver ? ", writeLog() after each commit" : "").toString();
  }

  @Override
  public long usedMemory() {
    return store.stats().usedBytes();
  }

  @Override
  public Map<String, Long> waits() {
    StoreStats.TreeUse trees = store.stats().trees();
    return Map.of("latch-waits", trees.latchWaits(), "structure-waits", trees.structureWaits());
  }

  @Override
  public long dedicatedTrees() {
    return store.stats().trees().dedicated();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private final class Reader implements BatchReader {
    private final int tagLabel;
    private final Neighbours neighbours = new Neighbours();
    private final ValueView value = new ValueView();
    private Transaction transaction;

    Reader(int label) {
      this.tagLabel = tagLabel(label);
      this.transaction = begin();
    }

    private Transaction begin() {
      return transactions.begin(Isolation.STRICT, true);
    }

    @Override
    public void renew() {
      transaction.rollback();
      transaction = begin();
    }

    @Override
    public long sum(long owner) {
      transaction.neighbours(owner, tagLabel, Integer.MAX_VALUE, neighbours);
      return sum();
    }

    @Override
    public long sum(long[] owners, int from, int to) {
      transaction.neighbours(owners, from, to, tagLabel, Integer.MAX_VALUE, neighbours);
      return sum();
    }

    @Override
    public long sumValues(long owner) {
      long sum = 0;
      try (EdgeCursor edges =
          transaction.edges(owner, tagLabel, tagLabel, true, ScanOrder.FORWARD)) {
        while (edges.next()) {
          edges.value(value);
          sum += edges.other() + EdgeValue.first(value.array(), value.start());
        }
      }
      return sum;
    }

    private long sum() {
      long[] others = neighbours.array();
      int size = neighbours.size();
      long sum = 0;
      for (int i = 0; i < size; i++) {
        sum += others[i];
      }
      return sum;
    }

    @Override
    public int first(long owner, int limit, long[] into) {
      transaction.neighbours(owner, tagLabel, limit, neighbours);
      System.arraycopy(neighbours.array(), 0, into, 0, neighbours.size());
      return neighbours.size();
    }

    @Override
    public void first(long[] owners, int count, int limit, long[] into, int[] ends) {
      transaction.neighbours(owners, 0, count, tagLabel, limit, neighbours);
      System.arraycopy(neighbours.array(), 0, into, 0, neighbours.size());
      for (int i = 0; i < count; i++) {
        ends[i] = neighbours.end(i);
      }
    }

    @Override
    public long value(long owner, long other) {
      byte[] value = transaction.edgeValue(owner, tagLabel, other, 0);
      if (value == null) {
        throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
      }
      return EdgeValue.checksum(value, value.length);
    }

    @Override
    public boolean has(long owner, long other) {
      return transaction.edgeValue(owner, tagLabel, other, 0) != null;
    }

    @Override
    public void close() {
      transaction.rollback();
    }
  }

  private final class Writer implements StoreWriter {
    private Transaction transaction;

    @Override
    public void put(long owner, int label, long other, byte[] value, int length) {
      if (transaction == null) {
        transaction = transactions.begin(Isolation.STRICT, false);
      }
      transaction.putEdge(owner, tagLabel(label), other, 0, Arrays.copyOf(value, length));
    }

    @Override
    public void commit() {
      transaction.commit();
      transaction = null;
      if (handsOver) {
        transactions.writeLog();
      }
    }

    @Override
    public void close() {
      if (transaction != null) {
        transaction.rollback();
      }
    }
  }
}
