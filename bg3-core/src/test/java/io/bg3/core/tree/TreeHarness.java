package io.bg3.core.tree;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One tree of tiny pages in memory, and a sorted map of every version written, which says what the
 * tree must answer.
 */
final class TreeHarness implements AutoCloseable {
  private static final long BUDGET = 256 << 20;

  final MemoryBudget budget;
  final BlockMemory memory;
  final Epochs epochs = new Epochs();
  final PageTable table;
  final TreeSpace space;
  final Tree tree;

  /** Key to its versions by stamp; an absent value is a tombstone. */
  final TreeMap<byte[], TreeMap<Long, byte[]>> model;

  /** Runs after a batch has found its leaves and before it is applied. */
  Runnable between = () -> {};

  private final PendingMaintenance due = new PendingMaintenance();
  private final LocatedLeaves leaves = new LocatedLeaves();
  private Horizon last = Horizon.KEEP_ALL;

  TreeHarness(TreeKind kind, int capacity, int consolidate) {
    this(kind, capacity, consolidate, new MemoryBudget(BUDGET, "bg3.memory.budget"));
  }

  TreeHarness(TreeKind kind, int capacity, int consolidate, MemoryBudget budget) {
    this.budget = budget;
    memory = new BlockMemory(budget);
    table = new PageTable(budget);
    space = new TreeSpace(table, memory, epochs, capacity, consolidate);
    TreeShape shape = kind == TreeKind.EDGES ? TreeShape.ofSharedTree() : new TreeShape();
    tree = Tree.create(space, shape, 7, kind);
    model = new TreeMap<>(Arrays::compareUnsigned);
  }

  /**
   * The tree of another one as it is stored, with none of its pages in memory.
   *
   * @param rows locations of base and delta by page
   * @param newest the largest stamp that is stored
   */
  TreeHarness(
      TreeHarness stored,
      TreeKind kind,
      Map<Integer, long[]> rows,
      ExtentStore extents,
      long newest) {
    budget = new MemoryBudget(BUDGET, "bg3.memory.budget");
    memory = new BlockMemory(budget);
    table = new PageTable(budget);
    space = new TreeSpace(table, memory, epochs, stored.space.capacity, stored.space.consolidate);
    table.grow(stored.table.end());
    rows.forEach((page, row) -> table.open(page, row[0], row[1], newest));
    table.collectFree();
    space.loadBy(new PageLoader(space, extents, newest, (page, references) -> {}));
    tree = Tree.open(space, 7, kind, stored.tree.root());
    model = stored.model;
    last = new Horizon(newest, newest, new long[0]);
  }

  /**
   * Writes one batch at a stamp, to tree and model; a null value removes. Now and then its leaves
   * are looked for before others are split and removed.
   */
  void write(NavigableMap<byte[], byte[]> batch, long stamp) {
    Entries entries = tree.newEntries();
    long since = Math.max(last.cut(), stamp - stamp % 5);
    int changed = -1;
    for (Map.Entry<byte[], byte[]> each : batch.entrySet()) {
      byte[] value = each.getValue();
      var versions = model.computeIfAbsent(each.getKey(), k -> new TreeMap<>());
      if (changed < 0 && !versions.isEmpty() && versions.lastKey() > since) {
        changed = entries.count();
      }
      entries.append(each.getKey(), value == null ? Op.TOMBSTONE : Op.PUT, stamp, value);
      versions.put(stamp, value == null ? new byte[0] : value);
    }
    if (stamp % 3 == 0) {
      tree.apply(entries, 0, entries.count(), due);
      return;
    }
    try (Pins.Registration pins = space.pins.register()) {
      write(entries, stamp, since, changed, LeafAdmission.unbounded(pins));
    }
  }

  private void write(Entries entries, long stamp, long since, int changed, LeafAdmission by) {
    int found = tree.find(entries, since, leaves, by);
    if (found != changed) {
      throw new AssertionError("changed since " + since + ": " + changed + ", found: " + found);
    }
    leaves.clear();
    tree.find(entries, Long.MAX_VALUE, leaves, by);
    between.run();
    if (stamp % 3 == 1) {
      settle(last);
    }
    long loads = loads();
    tree.apply(entries, leaves, () -> last, due);
    if (loads() != loads) {
      throw new AssertionError("a page was loaded to apply a batch, stamp=" + stamp);
    }
    leaves.clear();
  }

  private long loads() {
    return space.loader() == null ? 0 : space.loader().loads();
  }

  void settle(Horizon horizon) {
    last = horizon;
    due.settle(horizon);
  }

  /** The model's value of a key at a snapshot, null if it is absent. */
  byte[] expected(byte[] key, long snapshot) {
    TreeMap<Long, byte[]> versions = model.get(key);
    var version = versions == null ? null : versions.floorEntry(snapshot);
    return version == null || version.getValue().length == 0 ? null : version.getValue();
  }

  byte[] actual(byte[] key, long snapshot) {
    PageRead read = new PageRead();
    return tree.get(key, snapshot, read) && !read.version().isTombstone()
        ? read.version().value()
        : null;
  }

  /** Whether a key is there, asked without its value. */
  boolean isPresent(byte[] key, long snapshot) {
    PageRead read = new PageRead();
    return tree.find(key, snapshot, read) && !read.version().isTombstone();
  }

  /** Whether the model has a version of a key in a range that is newer than a stamp. */
  boolean expectedChange(byte[] low, byte[] high, long stamp) {
    NavigableMap<byte[], TreeMap<Long, byte[]>> from =
        low == null ? model : model.tailMap(low, true);
    return (high == null ? from : from.headMap(high, false))
        .values().stream().anyMatch(versions -> versions.lastKey() > stamp);
  }

  /** All keys and values that a snapshot of the model sees in a range. */
  NavigableMap<byte[], byte[]> expected(byte[] low, byte[] high, long snapshot) {
    TreeMap<byte[], byte[]> seen = new TreeMap<>(Arrays::compareUnsigned);
    for (byte[] key : model.keySet()) {
      byte[] value = expected(key, snapshot);
      boolean inside =
          (low == null || Arrays.compareUnsigned(low, key) <= 0)
              && (high == null || Arrays.compareUnsigned(key, high) < 0);
      if (inside && value != null) {
        seen.put(key, value);
      }
    }
    return seen;
  }

  /**
   * The same from the tree, page by page, in either direction; fails if the pages do not follow one
   * another.
   */
  NavigableMap<byte[], byte[]> actual(byte[] low, byte[] high, long snapshot, boolean backward) {
    TreeMap<byte[], byte[]> seen = new TreeMap<>(Arrays::compareUnsigned);
    byte[] from = low;
    byte[] to = high;
    int most = snapshot % 4 == 0 ? Integer.MAX_VALUE : (int) (snapshot % 4);
    while (true) {
      Entries page = tree.newEntries();
      byte[] next =
          backward
              ? tree.copyBackward(from, to, snapshot, true, most, page)
              : tree.copyForward(from, to, snapshot, true, most, page);
      for (int i = 0; i < page.count(); i++) {
        byte[] old = seen.put(page.key(i), page.value(i));
        if (old != null) {
          throw new AssertionError("a key came twice");
        }
      }
      if (next == null) {
        return seen;
      }
      from = backward ? from : next;
      to = backward ? next : to;
    }
  }

  List<String> problems() {
    return tree.check((page, references) -> {}).problems();
  }

  @Override
  public void close() {
    epochs.close();
    memory.close();
  }
}
