package io.bg3.core.page;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * One page with what happens to it in a store: commits, replay, snapshots, consolidation, splits,
 * flushes that race with writers, reloading from what was stored. After each step its answers are
 * compared with the {@link LeafModel}.
 *
 * <p>With a {@link Fault} it does one thing wrong; the comparison must then fail for some seed.
 */
final class LeafSimulation implements AutoCloseable {
  enum Fault {
    NONE,
    /**
     * Consolidation drops settled tombstones although no base without their keys is stored (rule
     * 3).
     */
    TOMBSTONE_DROPPED,
    /** A flush publishes its locations although the page got a newer block meanwhile (R3). */
    FLUSH_OVER_NEWER,
    /** A split page keeps its stored base (R3). */
    BASE_KEPT_AFTER_SPLIT,
    /** Pruning does not see the open snapshots (R9). */
    SNAPSHOTS_OVERLOOKED,
    /** Pruning takes the stamps up to the cut and not up to the floor (R9). */
    STAMPS_DROPPED_ABOVE_FLOOR,
  }

  private enum Step {
    WRITE,
    REPLAY,
    CONSOLIDATE,
    SPLIT,
    BEGIN_FLUSH,
    END_FLUSH,
    FLUSH_DELTA,
    RELOAD,
    OPEN_SNAPSHOT,
    CLOSE_SNAPSHOT
  }

  private static final int SMALL_CAPACITY = 640;

  private record Commit(long stamp, Entries entries) {}

  private final LeafKind kind;
  private final Fault fault;
  private final Random random;
  private final String name;
  private final MemoryBudget budget = new MemoryBudget(64 << 20, "test");
  private final BlockMemory memory = new BlockMemory(budget);
  private final LeafFormat format;
  private final LeafModel model = new LeafModel();
  private final List<Commit> commits = new ArrayList<>();
  private final List<Long> snapshots = new ArrayList<>();
  private final Step[] bag;
  private final Compressor compressor;

  private int quickWrites;
  private long block;
  private long now = 10;
  private long cut = 10;
  private long floor = 0;

  /** The stored base; null without. */
  private ByteBuffer storedBase;

  private ByteBuffer storedDelta;

  /** The image that a flush under way will store, null if there is none. */
  private ByteBuffer notedImage;

  /**
   * Whether the block that the flush noted is still the page's (its address alone may have come
   * again).
   */
  private boolean notedIsCurrent;

  LeafSimulation(LeafKind kind, Fault fault, long seed) {
    this.kind = kind;
    this.fault = fault;
    this.random = new Random(seed);
    this.name = "-Dbg3.seed=" + seed + " " + kind;
    this.format = kind.format(memory);
    this.bag = bag();
    this.compressor = PageFixture.anyCompressor(random);
    Entries none = format.newEntries();
    block = format.writeBase(new PageFrame(1, 2, null, null, 0), none, 0, 0, 0);
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      Step step = bag[random.nextInt(bag.length)];
      String at = name + ", step " + i + ": " + step;
      step(step);
      format.check(block);
      compare(at);
    }
  }

  private void step(Step step) {
    switch (step) {
      case WRITE -> write();
      case REPLAY -> replay();
      case CONSOLIDATE -> consolidate();
      case SPLIT -> split();
      case BEGIN_FLUSH -> beginFlush();
      case END_FLUSH -> endFlush();
      case FLUSH_DELTA -> flushDelta();
      case RELOAD -> reload();
      case OPEN_SNAPSHOT -> snapshots.add(cut + random.nextLong(now - cut + 1));
      case CLOSE_SNAPSHOT -> {
        if (!snapshots.isEmpty()) {
          snapshots.remove(random.nextInt(snapshots.size()));
        }
      }
    }
  }

  private void write() {
    long stamp = now + 1 + random.nextInt(5);
    now = stamp;
    TreeMap<byte[], LeafModel.Value> writes = new TreeMap<>(java.util.Arrays::compareUnsigned);
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      byte[] key =
          model.size() > 0 && random.nextInt(3) > 0 ? model.anyKey(random) : kind.key(random);
      writes.put(key, value());
    }
    Entries batch = format.newEntries();
    writes.forEach(
        (key, value) -> {
          batch.append(key, value.op(), 0, value.bytes());
          model.put(key, stamp, value.op(), value.bytes());
        });
    batch.stampAll(stamp);
    commits.add(new Commit(stamp, batch));
    long before = format.rebuildDelta(block, batch, 0, batch.count());
    compareQuick(format.addToDelta(block, batch, 0, batch.count()), before);
    if (fault == Fault.NONE) {
      compareWith(batch, before);
    }
    replace(before);
  }

  /** A page that takes a batch at once has the content that its delta would have led to. */
  private void compareWith(Entries batch, long delta) {
    if (!format.takes(block, batch, 0, batch.count())) {
      return;
    }
    Horizon horizon = horizon();
    boolean unstored = random.nextBoolean();
    LeafPieces one = format.with(block, batch, 0, batch.count(), horizon, unstored, 1 << 20);
    if (one == null) {
      return;
    }
    Entries entries = format.merged(delta, horizon);
    if (unstored) {
      entries.markAllUnstored();
    }
    PageHeader header = new PageHeader(memory).wrap(block);
    long general = format.writeBase(header.frame(), entries, 0, entries.count(), horizon.cut());
    compareQuick(one.write(0, header.frame(), horizon.cut()), general);
    format.free(general);
    LeafPieces pieces =
        format.with(block, batch, 0, batch.count(), horizon, unstored, SMALL_CAPACITY);
    if (pieces != null && pieces.count() > 1) {
      entries.markAllUnstored();
      comparePieces(pieces, entries, horizon);
    }
  }

  private LeafModel.Value value() {
    int choice = random.nextInt(10);
    if (choice < 3) {
      return new LeafModel.Value(Op.TOMBSTONE, new byte[0]);
    }
    byte op = choice == 3 ? Op.LOCATION : Op.PUT;
    byte[] bytes =
        new byte[op == Op.LOCATION ? Long.BYTES : random.nextInt(3) * random.nextInt(20)];
    random.nextBytes(bytes);
    return new LeafModel.Value(op, bytes);
  }

  /** Applies the last commits again, in order. */
  private void replay() {
    int first = Math.max(0, commits.size() - 1 - random.nextInt(8));
    for (Commit commit : commits.subList(first, commits.size())) {
      replace(format.writeDelta(block, commit.entries, 0, commit.entries.count()));
    }
  }

  private Horizon horizon() {
    cut = cut + random.nextLong(now - cut + 1);
    long[] open = snapshots.stream().mapToLong(Long::longValue).sorted().toArray();
    long lowest = open.length == 0 ? cut : Math.min(cut, open[0]);
    if (fault == Fault.SNAPSHOTS_OVERLOOKED) {
      return Horizon.at(cut);
    }
    floor = Math.max(floor, lowest);
    return new Horizon(cut, lowest, open);
  }

  private void consolidate() {
    Horizon horizon = horizon();
    Entries entries = format.merged(block, horizon);
    if (fault == Fault.TOMBSTONE_DROPPED) {
      entries.dropSettledTombstones(true);
    }
    if (fault == Fault.STAMPS_DROPPED_ABOVE_FLOOR) {
      for (int i = 0; i < entries.count(); i++) {
        if (entries.stamp(i) <= cut && entries.groupEnd(i) == i + 1) {
          entries.setStamp(i, 0);
        }
      }
    }
    PageHeader header = new PageHeader(memory).wrap(block);
    long next = format.writeBase(header.frame(), entries, 0, entries.count(), horizon.cut());
    if (fault == Fault.NONE) {
      compareQuick(format.consolidated(block, horizon, false, 1 << 20), next);
    }
    replace(next);
  }

  /** The quick way, if there was one, has written what the general way leads to. */
  private void compareQuick(long quick, long general) {
    if (quick == 0) {
      return;
    }
    quickWrites++;
    if (!Arrays.equals(bytes(quick), bytes(general))) {
      throw new AssertionError(
          name + " not the same:\n" + format.print(quick) + "\n" + format.print(general));
    }
    format.free(quick);
  }

  /** A block and its values, without the addresses of other blocks. */
  private byte[] bytes(long address) {
    LeafBlock view = format.view(address);
    ByteBuffer bytes = ByteBuffer.allocate(format.memoryBytes(address) * 2);
    bytes.put(0, memory.slab(address), BlockMemory.offset(address), view.length());
    bytes.putLong(PageHeader.BASE, 0).putLong(PageHeader.VALUES, 0);
    if (view.ownsValueBlock()) {
      view.values(memory).writeTo(bytes, view.length());
    }
    return bytes.array();
  }

  /** How many blocks were compared with those of the quick way. */
  int quickWrites() {
    return quickWrites;
  }

  /** Splits the page and puts the halves together again: it has no stored base then. */
  private void split() {
    Horizon horizon = horizon();
    Entries entries = format.merged(block, horizon);
    PageFrame frame = new PageHeader(memory).wrap(block).frame();
    if (fault != Fault.BASE_KEPT_AFTER_SPLIT) {
      entries.markAllUnstored();
      storedBase = null;
      storedDelta = null;
      notedImage = null;
    } else {
      entries.dropSettledTombstones(true);
    }
    long next = format.writeBase(frame, entries, 0, entries.count(), horizon.cut());
    if (fault == Fault.NONE) {
      compareQuick(format.consolidated(block, horizon, true, 1 << 20), next);
      comparePieces(format.pieces(block, horizon, true, SMALL_CAPACITY), entries, horizon);
    }
    replace(next);
  }

  /** A split writes the entries between the cuts. */
  private void comparePieces(LeafPieces pieces, Entries entries, Horizon horizon) {
    int from = 0;
    for (int i = 0; pieces != null && i < pieces.count(); i++) {
      boolean last = i + 1 == pieces.count();
      byte[] high = last ? null : pieces.low(i + 1);
      int to = last ? entries.count() : entries.find(high);
      PageFrame frame = new PageFrame(i + 1, 1, pieces.low(i), high, last ? 0 : i + 2);
      long piece = format.writeBase(frame, entries, from, to, horizon.cut());
      format.check(piece);
      if (kind == LeafKind.BYTES) {
        format.free(pieces.write(i, frame, horizon.cut()));
      } else {
        compareQuick(pieces.write(i, frame, horizon.cut()), piece);
      }
      format.free(piece);
      from = to;
    }
  }

  private void beginFlush() {
    notedIsCurrent = true;
    notedImage = join(format.baseImage(block, compressor));
  }

  private void endFlush() {
    if (notedImage == null) {
      return;
    }
    if (notedIsCurrent || fault == Fault.FLUSH_OVER_NEWER) {
      storedBase = notedImage;
      storedDelta = null;
      Horizon horizon = horizon();
      long next = format.rebuildWithoutMarks(block, horizon);
      compareQuick(format.unmarked(block, horizon), next);
      replace(next);
    }
    notedImage = null;
  }

  private void flushDelta() {
    if (storedBase != null) {
      ByteBuffer image = join(format.deltaImage(block, compressor));
      if (image.remaining() > 2 * format.markedBytes(block) + 512) {
        throw new AssertionError(
            name
                + " delta image: bytes="
                + image.remaining()
                + ", announced="
                + format.markedBytes(block));
      }
      storedDelta = format.markedCount(block) == 0 ? null : image;
      notedImage = null;
    }
  }

  /** Stores what is not yet stored, and goes on with what was. */
  private void reload() {
    if (storedBase == null) {
      beginFlush();
      endFlush();
    } else {
      flushDelta();
    }
    ByteBuffer delta = storedDelta == null ? null : storedDelta.duplicate();
    replaceAll(
        format.load(
            storedBase.duplicate(), delta, random.nextInt(20), Horizon.KEEP_ALL, "stored page"));
    notedImage = null;
  }

  private void replace(long next) {
    if (next == block) {
      return;
    }
    notedIsCurrent = false;
    if (format.base(next) == format.base(block)) {
      if (block != format.base(block)) {
        format.free(block);
      }
      block = next;
    } else {
      replaceAll(next);
    }
  }

  private void replaceAll(long next) {
    long base = format.base(block);
    if (base != block) {
      format.free(block);
    }
    format.free(base);
    block = next;
  }

  private void compare(String at) {
    long snapshot =
        snapshots.isEmpty() || random.nextInt(3) == 0
            ? random.nextBoolean() ? Long.MAX_VALUE : now
            : snapshots.get(random.nextInt(snapshots.size()));
    byte[] key =
        model.size() > 0 && random.nextInt(4) > 0 ? model.anyKey(random) : kind.key(random);
    model.assertGet(format, block, key, snapshot, at);
    byte[] low = random.nextInt(4) == 0 ? null : kind.bound(random);
    byte[] high = random.nextInt(4) == 0 ? null : kind.bound(random);
    if (random.nextInt(3) == 0 && low != null) {
      high = EdgeKey.after(low);
    }
    model.assertCopy(format, block, low, high, snapshot, random.nextBoolean(), at);
    model.assertNewest(format, block, low, high, floor, at);
    if (random.nextInt(10) == 0) {
      model.assertCopy(format, block, null, null, snapshot, true, at);
    }
  }

  /** Steps in random proportions; one may be missing altogether. */
  private Step[] bag() {
    List<Step> steps = new ArrayList<>();
    for (Step step : Step.values()) {
      int times = step == Step.WRITE ? 12 : random.nextInt(4);
      for (int i = 0; i < times; i++) {
        steps.add(step);
      }
    }
    return steps.toArray(new Step[0]);
  }

  static ByteBuffer join(ByteBuffer[] parts) {
    int length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    ByteBuffer joined = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (ByteBuffer part : parts) {
      joined.put(part.duplicate());
    }
    return joined.flip();
  }

  /** Frees the page and looks for memory that was lost. */
  @Override
  public void close() {
    long base = format.base(block);
    if (base != block) {
      format.free(block);
    }
    format.free(base);
    if (memory.used() != 0) {
      throw new AssertionError(name + " memory lost: bytes=" + memory.used());
    }
    memory.close();
  }
}
