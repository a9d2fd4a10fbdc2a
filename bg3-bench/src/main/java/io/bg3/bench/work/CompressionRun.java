package io.bg3.bench.work;

import com.sun.management.OperatingSystemMXBean;
import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreStats;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes a graph into a store with one way to compress images, overwrites edges, checkpoints, and
 * reads all of it again with no page in memory. Each edge has a second entry under its target.
 */
public final class CompressionRun {
  private static final int BATCH = 1_000;
  private static final int CHECKPOINTS = 4;
  private static final int OVERWRITTEN = 4; // one in so many edges
  private static final String[] WORDS = {
    "alice", "photo", "2026-11-2", "follows", "https://example.org/", "likes", "city", "0", "1", "2"
  };

  private final boolean text;
  private final long[] keys; // of the edges, in random order: source and target index

  /**
   * A run on a graph.
   *
   * @param text whether values are words, which compress well, or random bytes
   */
  public CompressionRun(PowerLawGraph graph, boolean text) {
    this.text = text;
    this.keys = shuffled(graph);
  }

  /**
   * The cost of one way to compress.
   *
   * @param written bytes of all images that were written
   * @param live bytes of the images that the last manifest names
   * @param checkpointNanos processor time of the checkpoints
   * @param readNanos processor time of reading every entry, each page once from the page cache
   * @param pages pages of the store
   * @param answer a hash of all entries
   */
  public record Cost(
      long written, long live, long checkpointNanos, long readNanos, long pages, long answer) {}

  /** Bytes of keys and values of all entries, each edge once. */
  public long userBytes() {
    long bytes = 0;
    for (int i = 0; i < keys.length; i++) {
      bytes += EdgeValue.KEY + value(i, 0).length;
    }
    return bytes;
  }

  /** Runs in an empty directory. */
  public Cost run(Path directory, String way) throws IOException {
    Settings settings = settings(directory, way);
    long checkpoints = 0;
    long written;
    long live;
    long pages;
    try (Bg3 store = Bg3.open(settings)) {
      for (int part = 0; part < CHECKPOINTS; part++) {
        int from = (int) ((long) keys.length * part / CHECKPOINTS);
        write(store, from, (int) ((long) keys.length * (part + 1) / CHECKPOINTS), 1, 0);
        checkpoints += checkpoint(store);
      }
      write(store, 0, keys.length, OVERWRITTEN, 1);
      checkpoints += checkpoint(store);
      StoreStats stats = store.stats();
      written = stats.streams().values().stream().mapToLong(s -> s.stored()).sum();
      live = stats.streams().values().stream().mapToLong(s -> s.live()).sum();
      pages = stats.pages();
    }
    long[] read = read(settings);
    return new Cost(written, live, checkpoints, read[0], pages, read[1]);
  }

  private Settings settings(Path directory, String way) {
    return Settings.defaults()
        .with(Setting.DIRECTORY, directory.toString())
        .with(Setting.MEMORY_BUDGET, Long.toString(Math.max(256L << 20, keys.length * 200L)))
        .with(Setting.DURABILITY, "none")
        .with(Setting.LOG_LIMIT, "16g")
        .with(Setting.IO_DIRECT, "false")
        .with(Setting.COMPRESSION_BASE, way)
        .with(Setting.COMPRESSION_DELTA, way);
  }

  private void write(Bg3 store, int from, int to, int every, int version) {
    for (int batch = from; batch < to; batch += BATCH * every) {
      try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
        for (int i = batch; i < Math.min(to, batch + BATCH * every); i += every) {
          long source = PowerLawGraph.id((int) (keys[i] >>> Integer.SIZE));
          long target = PowerLawGraph.id((int) keys[i]);
          transaction.putEdge(
              source, EdgeKey.tagLabel(EdgeKey.OUT, 1), target, 0, value(i, version));
          transaction.putEdge(target, EdgeKey.tagLabel(EdgeKey.IN, 1), source, 0, new byte[0]);
        }
        transaction.commit();
      }
    }
  }

  private static long checkpoint(Bg3 store) throws IOException {
    long begin = cpu();
    store.checkpoint();
    return cpu() - begin;
  }

  /** Reads all entries twice, each time with no page in memory; the time of the second. */
  private static long[] read(Settings settings) throws IOException {
    long nanos = 0;
    long hash = 0;
    for (int round = 0; round < 2; round++) { // the JIT compiler compiles in the first
      try (Bg3 store = Bg3.open(settings);
          Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, true)) {
        long begin = cpu();
        hash = hash(transaction);
        nanos = cpu() - begin;
      }
    }
    return new long[] {nanos, hash};
  }

  private static long hash(Transaction transaction) {
    long hash = 0;
    for (int tag : new int[] {EdgeKey.OUT, EdgeKey.IN}) {
      try (EdgeCursor edges = transaction.allEdges(tag, true)) {
        while (edges.next()) {
          hash = hash * 31 + edges.owner();
          hash = hash * 31 + edges.other();
          hash = hash * 31 + Arrays.hashCode(edges.value());
        }
      }
    }
    return hash;
  }

  private byte[] value(int edge, int version) {
    byte[] bytes = new byte[EdgeValue.LONGEST];
    int length =
        EdgeValue.fill(keys[edge] >>> Integer.SIZE, keys[edge] & 0xFFFFFFFFL, version, bytes);
    if (!text) {
      return Arrays.copyOf(bytes, length);
    }
    StringBuilder words = new StringBuilder();
    for (int i = 0; words.length() < length; i++) {
      words.append(WORDS[(bytes[i] & 0xFF) % WORDS.length]).append(' ');
    }
    return words.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  private static long[] shuffled(PowerLawGraph graph) {
    long[] keys = new long[Math.toIntExact(graph.edges())];
    long[] targets = new long[graph.maxDegree()];
    int count = 0;
    for (int source = 0; source < graph.sources(); source++) {
      int degree = graph.targets(source, targets);
      for (int i = 0; i < degree; i++) {
        keys[count++] = (long) source << Integer.SIZE | PowerLawGraph.index(targets[i]);
      }
    }
    for (int i = count - 1; i > 0; i--) {
      int j = (int) SeededHash.below(SeededHash.of(graph.seed(), i), i + 1);
      long key = keys[i];
      keys[i] = keys[j];
      keys[j] = key;
    }
    return keys;
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Makes a directory for the store of one way. */
  public static Path directory(Path root, String way) throws IOException {
    return Files.createDirectory(root.resolve(way.replace(':', '-')));
  }
}
