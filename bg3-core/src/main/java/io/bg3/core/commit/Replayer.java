package io.bg3.core.commit;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.thread.ParallelTasks;
import io.bg3.core.tree.BatchReplay;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.ReplayRoom;
import io.bg3.core.tree.Tree;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what log records say: the same entries into the same trees as their commits did, and their
 * increments into the totals.
 *
 * <p>Replay goes by key and stamp, so it may begin before what the pages hold already: an entry
 * that is not newer than its key's newest is skipped. (A key whose newest version has lost its
 * stamp gets older versions put on top for a moment; the record that wrote the newest comes later
 * in the log, and ends that. So nothing may be read before the log has been replayed to the newest
 * commit in any image.)
 *
 * <p>Since nothing is read meanwhile, many records are done at once: their entries are gathered,
 * sorted, of each key the newest is kept, and each page is written once for all that goes to it.
 * The trees are done at once where there are processors for it, as committers may be in all of them
 * at once too.
 *
 * <p>Dictionary and id counters need nothing special: they are read from their trees when
 * transactions begin. Belongs to one thread, which waits for those that help it.
 */
public final class Replayer {
  /** About the bytes that an entry takes while it is gathered, besides key and value. */
  private static final int ENTRY_OVERHEAD = 64;

  /** About the bytes that the columns take in which the entries of one tree are gathered. */
  private static final int TREE_OVERHEAD = 1_024;

  /**
   * Two million small entries. The more of them are gathered, the fewer times a leaf is written for
   * those of one log.
   */
  private static final long MOST_GATHERED = 256 << 20;

  private static final int SHARE_OF_HEAP = 16;

  private final Trees trees;
  private final Totals totals;
  private final Map<Tree, Entries> gathered = new HashMap<>();
  private final CommitRecord.Reader reader = new Gatherer();
  private ReplayRoom room = ReplayRoom.UNBOUNDED;
  private long mostGathered;
  private TotalIncrements increments = new TotalIncrements();
  private long bytes;
  private long stamp;

  /** Replays into these trees and totals. */
  public Replayer(Forest forest, ExtentStore extents, CommitSettings settings, Totals totals) {
    this.trees = new Trees(forest, settings.valueStore(extents, forest.largeValues()));
    this.totals = totals;
    this.mostGathered = Math.min(MOST_GATHERED, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /**
   * Says what keeps the replay within the memory budget; before the first record.
   *
   * @param bytes about what the entries of the records that are done at once may take
   */
  public void keepWithin(ReplayRoom memory, long bytes) {
    room = memory;
    mostGathered = Math.min(mostGathered, bytes);
  }

  /**
   * Replays one record, now or together with later ones. Records are given in the order of the log.
   *
   * @throws CorruptionException if it is no valid record
   * @throws IOException if a large value cannot be appended to its stream
   */
  public void apply(ByteBuffer payload) throws IOException {
    CommitRecord.read(payload, reader);
    if (bytes >= mostGathered) {
      applyGathered();
    }
  }

  /** Whether every record that was given is in the trees and the totals. */
  public boolean isApplied() {
    return bytes == 0;
  }

  /** The totals of what has been applied, and of the checkpoint that replay began with. */
  public TotalsImage totals() {
    return new TotalsImage(totals.stamp(), totals.encode(totals.stamp()));
  }

  /** Ends the replay: everything is in the trees and the totals now. */
  public void finish() {
    applyGathered();
    room.run(() -> {}); // the opening of the store goes on with pages
  }

  /** Says that an image that was written refers to large values. */
  public void storedValues(long[] locations) {
    trees.values().stored(locations);
  }

  /**
   * The large values that replay appended, for the next checkpoint to find out which are still
   * wanted.
   */
  public List<Long> takeWrittenValues() {
    return trees.values().takeWritten();
  }

  /** The message of an opening that is refused because the disk does not take what is replayed. */
  public static String refusal(String what, IOException failure) {
    return "cannot replay the log: "
        + what
        + " cannot be written to the disk; nothing is lost, and the next opening goes on where this"
        + " one ends. Free space on the disk, or repair it: disk="
        + failure.getMessage();
  }

  /** The largest stamp replayed, 0 before the first record. */
  public long stamp() {
    return stamp;
  }

  private void applyGathered() {
    Horizon horizon = Horizon.at(stamp);
    ParallelTasks.run(gathered.entrySet(), each -> apply(each.getKey(), each.getValue(), horizon));
    gathered.clear();
    totals.add(increments, stamp);
    increments = new TotalIncrements();
    bytes = 0;
  }

  private void apply(Tree tree, Entries entries, Horizon horizon) {
    Entries batch = tree.newEntries();
    entries.copyNewest(batch);
    new BatchReplay(tree, horizon, room).add(batch);
  }

  private final class Gatherer implements CommitRecord.Reader {
    @Override
    public void stamp(long next) {
      if (next <= stamp) {
        throw new CorruptionException(
            "log record", CommitRecord.STAMP, "a stamp above " + stamp, Long.toString(next));
      }
      stamp = next;
      bytes += ENTRY_OVERHEAD; // also a record without entries has not been applied
    }

    @Override
    public void total(int counter, long amount) {
      if (stamp > totals.stamp()) { // else it is in the checkpoint's totals
        increments.add(counter, amount);
      }
    }

    @Override
    public void write(int space, byte[] key, byte[] value) throws IOException {
      int family = space == KeySpace.EDGES ? EdgeKey.family(EdgeKey.tagLabel(key)) : 0;
      if (family > 0) {
        openFamily(family); // it may have been declared behind the checkpoint
      }
      if (space == TreeIds.META && value != null && FamilySettings.family(key) > 0) {
        FamilySettings settings = FamilySettings.decode(value);
        room.run(() -> trees.configureFamily(FamilySettings.family(key), settings));
      }
      Tree tree = trees.of(space, key);
      Entries entries = gathered.computeIfAbsent(tree, this::newEntries);
      if (value == null) {
        entries.append(key, Op.TOMBSTONE, stamp, null);
      } else if (trees.values().isLarge(value) && !isApplied(tree, key)) {
        long location = append(space, key, value);
        trees.values().markWritten(location);
        entries.append(key, Op.LOCATION, stamp, ValueStore.encode(location));
      } else {
        entries.append(key, Op.PUT, stamp, value);
      }
      bytes += ENTRY_OVERHEAD + key.length + (value == null ? 0 : value.length);
    }

    /** Makes the tree of a family if there is none, which may load a page. */
    private void openFamily(int family) {
      if (!trees.hasFamily(family)) {
        room.run(() -> trees.openFamily(family));
      }
    }

    private Entries newEntries(Tree tree) {
      charge(TREE_OVERHEAD);
      return tree.newEntries();
    }

    private void charge(int more) {
      bytes += more;
    }

    /** Appends a value, if need be in the space of extents that no manifest names. */
    private long append(int space, byte[] key, byte[] value) throws IOException {
      try {
        return trees.values().append(space, key, value);
      } catch (IOException e) {
        if (!room.makeSpace(e)) {
          throw refused(e);
        }
      }
      try {
        return trees.values().append(space, key, value);
      } catch (IOException e) {
        throw refused(e);
      }
    }

    private IOException refused(IOException e) {
      return new IOException(refusal("a large value", e), e);
    }

    /** Whether the entry will be skipped, so that its value need not be stored again. */
    private boolean isApplied(Tree tree, byte[] key) {
      boolean[] applied = new boolean[1];
      room.run(() -> applied[0] = tree.changedAfter(key, KeySpace.successor(key), stamp - 1));
      return applied[0];
    }
  }
}
