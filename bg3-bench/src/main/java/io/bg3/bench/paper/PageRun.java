package io.bg3.bench.paper;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run of the experiment behind the paper's figures 9 and 10: the leaves of one tree, which hold
 * a power-law graph, take writes of single edges and look-ups by turns. Each write is flushed by
 * itself, each look-up reads its page from storage, and no page is split.
 *
 * <p>An edge is drawn uniformly for each write and look-up, so a source is drawn in proportion to
 * its degree. A write replaces the value of the edge. Pages are {@value #FILL_PERCENT} percent full
 * at first, as pages are on average that a tree splits under writes in random order.
 */
public final class PageRun {
  /** How full pages are at first. */
  static final int FILL_PERCENT = 70;

  private static final int LABEL = 1;
  private static final int TREE = 1;
  private static final long STORE = 1;
  private static final int EXTENT_SIZE = 4 << 20;
  private static final long MEMORY = 2L << 30;

  /** The stamp of the time when the writes begin: one a millisecond. */
  private static final long FIRST_MILLIS = 1_800_000_000_000L;

  private static final int STAMP_SHIFT = 20;
  private static final long WRITES = 1;
  private static final long READS = 2;

  private final PowerLawGraph graph;
  private final Compressor compressor;
  private final int capacity;
  private final int warmUp;
  private final int writes;
  private final long[] sources; // of the edges in key order
  private final long[] targets;
  private final int[] versions;

  /**
   * A run that has not begun.
   *
   * @param compressor of the images, bases and deltas
   * @param capacity bytes of a page
   * @param warmUp writes before those that are counted, so that pages have deltas then
   * @param writes with a look-up after each
   */
  public PageRun(PowerLawGraph graph, Compressor compressor, int capacity, int warmUp, int writes) {
    this.graph = graph;
    this.compressor = compressor;
    this.capacity = capacity;
    this.warmUp = warmUp;
    this.writes = writes;
    int edges = Math.toIntExact(graph.edges());
    this.sources = new long[edges];
    this.targets = new long[edges];
    this.versions = new int[edges];
    long[] found = new long[graph.maxDegree()];
    int at = 0;
    for (int source = 0; source < graph.sources(); source++) {
      int degree = graph.targets(source, found);
      Arrays.fill(sources, at, at + degree, PowerLawGraph.id(source));
      System.arraycopy(found, 0, targets, at, degree);
      at += degree;
    }
  }

  /**
   * The counts of a run.
   *
   * @param pages leaves of the tree
   * @param reads records that the look-ups read
   * @param bytes bytes that the writes appended, with the frames of records
   * @param answer a number made of the values that all look-ups found
   */
  public record Counts(int pages, long reads, long bytes, long answer) {}

  /**
   * Runs the experiment.
   *
   * @param disk where the extents go; empty
   */
  public Counts run(FlushRule rule, Disk disk) throws IOException {
    Arrays.fill(versions, 0);
    try (BlockMemory memory = new BlockMemory(new MemoryBudget(MEMORY, "the benchmark"));
        ExtentStore extents =
            ExtentStore.open(disk, ExtentSettings.of(STORE, EXTENT_SIZE), List.of())) {
      LeafFormat format = LeafFormat.edges(memory);
      EdgeEntries all = allEdges();
      int[] cuts = format.splitPoints(all, capacity / 100 * FILL_PERCENT, false);
      List<StoredPage> pages = store(format, extents, rule, all, cuts);
      for (int i = 0; i < warmUp; i++) {
        write(pages, cuts, i);
      }
      long before = extents.appendedBytes();
      long reads = 0;
      long answer = 0;
      PageRead read = new PageRead();
      for (int i = warmUp; i < warmUp + writes; i++) {
        write(pages, cuts, i);
        int asked = edge(READS, i);
        StoredPage page = pages.get(page(cuts, asked));
        reads += page.records();
        answer = answer * 31 + found(page, asked, read);
      }
      return new Counts(pages.size(), reads, extents.appendedBytes() - before, answer);
    }
  }

  private void write(List<StoredPage> pages, int[] cuts, int i) throws IOException {
    int edge = edge(WRITES, i);
    versions[edge]++;
    EdgeEntries entry = new EdgeEntries();
    append(entry, edge, (FIRST_MILLIS + i) << STAMP_SHIFT);
    pages.get(page(cuts, edge)).write(entry);
  }

  private int edge(long purpose, int i) {
    return (int)
        SeededHash.below(SeededHash.of(SeededHash.of(graph.seed(), purpose), i), sources.length);
  }

  private static int page(int[] cuts, int edge) {
    int at = Arrays.binarySearch(cuts, edge);
    return at >= 0 ? at : -at - 2;
  }

  private EdgeEntries allEdges() {
    EdgeEntries all = new EdgeEntries();
    for (int edge = 0; edge < sources.length; edge++) {
      append(all, edge, 0);
    }
    return all;
  }

  private void append(EdgeEntries entries, int edge, long stamp) {
    entries.append(sources[edge], LABEL, targets[edge], 0, Op.PUT, stamp, value(edge));
  }

  private byte[] value(int edge) {
    byte[] longest = new byte[EdgeValue.LONGEST];
    int length = EdgeValue.fill(sources[edge], targets[edge], versions[edge], longest);
    return Arrays.copyOf(longest, length);
  }

  private List<StoredPage> store(
      LeafFormat format, ExtentStore extents, FlushRule rule, EdgeEntries all, int[] cuts)
      throws IOException {
    List<StoredPage> pages = new ArrayList<>();
    byte[] low = null;
    for (int i = 1; i < cuts.length; i++) {
      boolean isLast = i == cuts.length - 1;
      byte[] high = isLast ? null : format.separator(all, cuts[i]);
      PageFrame frame = new PageFrame(i, TREE, low, high, isLast ? 0 : i + 1);
      pages.add(
          new StoredPage(format, extents, rule, compressor, frame, all, cuts[i - 1], cuts[i]));
      low = high;
    }
    return pages;
  }

  /** The first bytes of what a look-up finds, which has to be what was written last. */
  private long found(StoredPage page, int edge, PageRead read) throws IOException {
    byte[] key = EdgeKey.encode(sources[edge], LABEL, targets[edge], 0);
    byte[] found = page.lookUp(key, read);
    if (!Arrays.equals(value(edge), found)) {
      throw new IllegalStateException(
          "a look-up found another value than was written: source="
              + sources[edge]
              + ", target="
              + targets[edge]
              + ", version="
              + versions[edge]);
    }
    return EdgeValue.checksum(found, found.length);
  }
}
