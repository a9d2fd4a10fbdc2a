package io.bg3.core.recovery;

import static java.util.stream.Collectors.groupingBy;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.tree.MovedValue;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeRoute;
import io.bg3.core.tree.ValueRelocation;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentScan;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties VALUE extents: copies the large values in them that leaves refer to, and makes the leaves
 * refer to the copies (R26).
 *
 * <pre>
 *   slice        read the next records of a victim: space, key, location
 *                for each leaf: look │ append copies │ change locations under the latch
 *   checkpoint   the leaves are dirty: images with the new locations │ the old values are garbage
 *                │ manifest │ the victims are dead, deleted
 * </pre>
 *
 * <p>Nothing is given up here but a copy that no leaf came to refer to. A value that is overlooked,
 * because its leaf could not be loaded or its record not be read, keeps its extent.
 *
 * <p>Threads: guarded by the {@link RowLock}.
 */
final class ValueMover {
  private static final Logger LOG = LoggerFactory.getLogger(ValueMover.class);

  private final Forest forest;
  private final ExtentStore extents;
  private final ValueReferences values;
  private final Supplier<Horizon> horizon;

  /** Leaves that are looked at in one slice; each may be loaded, and be dirty afterwards. */
  private static final int SLICE_LEAVES = 256;

  /** Values of one tree, by key, of which the first may have been moved. */
  private static final class Batch {
    final Tree tree;
    final List<MovedValue> values;
    int next;

    Batch(Tree tree, List<MovedValue> values) {
      this.tree = tree;
      this.values = values;
    }

    boolean isDone() {
      return next == values.size();
    }
  }

  private final Queue<Integer> victims = new ArrayDeque<>();

  /** Victims with bytes that could not be read. */
  private final Set<Integer> damaged = new HashSet<>();

  /** The values of the records that were read last, as far as they are not moved yet. */
  private final Queue<Batch> batches = new ArrayDeque<>();

  private final Map<Long, ExtentRecord> records = new HashMap<>(); // of the batches, by location
  private ExtentScan scan; // of the first victim; null before its first slice
  private boolean full;

  /** Moves values of a store, whose open snapshots a horizon tells. */
  ValueMover(OpenedStore store, Supplier<Horizon> horizon) {
    this.forest = store.forest();
    this.extents = store.extents();
    this.values = store.values();
    this.horizon = horizon;
  }

  /** Begins a round. */
  void begin(Collection<Integer> chosen) {
    victims.clear();
    victims.addAll(chosen);
    damaged.clear();
    batches.clear();
    records.clear();
    scan = null;
  }

  /** Whether there are records left to look at. */
  boolean hasMore() {
    return !victims.isEmpty() || !batches.isEmpty();
  }

  /** Whether some of a victim could not be read in this round. */
  boolean isDamaged(int victim) {
    return damaged.contains(victim);
  }

  /**
   * Moves the values of the next records, as far as a limited number of leaves refers to them.
   *
   * @param most bytes of records that are read
   * @return false if the disk was full
   * @throws IOException if the disk fails; the store then writes no more
   */
  boolean slice(int most) throws IOException {
    full = false;
    if (batches.isEmpty()) {
      records.clear();
      List<ExtentRecord> found = read(most);
      found.forEach(record -> records.put(record.location(), record));
      byTree(found).forEach((tree, some) -> batches.add(new Batch(tree, some)));
    }
    for (int leaves = 0; leaves < SLICE_LEAVES && !full && !batches.isEmpty(); leaves++) {
      Batch batch = batches.element();
      moveOfLeaf(batch);
      if (batch.isDone()) {
        batches.remove();
      }
    }
    return !full;
  }

  /** The next records of the first victim; none where it cannot be read. */
  private List<ExtentRecord> read(int most) {
    int victim = victims.element();
    try {
      scan = scan == null ? extents.scan(victim, most) : scan;
      if (scan != null && scan.hasMore()) {
        List<ExtentRecord> records = scan.next();
        if (scan.hasMore()) {
          return records;
        }
        end(victim);
        return records;
      }
    } catch (NoSuchExtentException e) {
      // it has become dead meanwhile
    } catch (UnreadableException | IOException | OutOfMemoryError e) { // a record is large
      damaged.add(victim);
      LOG.warn(
          "an extent of large values is not emptied, because it cannot be read: {}",
          e.getMessage());
    }
    end(victim);
    return List.of();
  }

  private void end(int victim) {
    if (scan != null && scan.passedBytes() > 0) {
      damaged.add(victim);
      LOG.warn(
          "an extent of values has bytes without a record: extent={}, bytes={}",
          Integer.toHexString(victim),
          scan.passedBytes());
    }
    scan = null;
    victims.remove();
  }

  private Map<Tree, List<MovedValue>> byTree(List<ExtentRecord> records) {
    record Found(Tree tree, MovedValue value) {}

    List<Found> found = new ArrayList<>();
    for (ExtentRecord record : records) {
      ValueStore.Owner owner = owner(record);
      Tree tree = owner == null ? null : tree(owner);
      if (tree != null) {
        found.add(new Found(tree, new MovedValue(owner.key(), record.location())));
      }
    }
    Map<Tree, List<MovedValue>> byTree = new HashMap<>();
    found.stream()
        .collect(groupingBy(Found::tree))
        .forEach(
            (tree, some) ->
                byTree.put(
                    tree, some.stream().map(Found::value).sorted(MovedValue.BY_KEY).toList()));
    return byTree;
  }

  private static ValueStore.Owner owner(ExtentRecord record) {
    try {
      return ValueStore.Owner.of(record);
    } catch (UnreadableException e) {
      return null; // no entry refers to what cannot be read
    }
  }

  /** The tree that a key is in; null if there is none. */
  private Tree tree(ValueStore.Owner owner) {
    if (owner.space() == KeySpace.EDGES) {
      return owner.key().length < EdgeKey.OTHER ? null : forest.edges(owner.key());
    }
    boolean known = owner.space() >= TreeIds.VERTICES && owner.space() <= TreeIds.LAST_BYTES;
    return known ? forest.bytes(owner.space()) : null;
  }

  /** Where the owners of a tree are by now. */
  private TreeRoute route(Tree tree) {
    return tree.id() >= TreeIds.FIRST_INIT ? forest : tree;
  }

  /** Moves the next values of a batch, those that belong to one leaf. */
  private void moveOfLeaf(Batch batch) throws IOException {
    ValueRelocation relocation = new ValueRelocation(batch.tree, route(batch.tree), horizon.get());
    int end = relocation.look(batch.values, batch.next);
    List<MovedValue> ofLeaf = batch.values.subList(batch.next, end);
    List<MovedValue> wanted = ofLeaf.stream().filter(MovedValue::isWanted).toList();
    for (MovedValue value : wanted) {
      copy(value, records.get(value.from()));
    }
    List<MovedValue> copied = wanted.stream().filter(MovedValue::isCopied).toList();
    try {
      boolean anyhow = isCountedInVain(relocation.page(), ofLeaf);
      forest.betweenMoves( // else the copy of an entry could keep its old location
          () -> {
            relocation.apply(copied, anyhow);
            return null;
          });
    } finally {
      copied.forEach(this::settle);
    }
    batch.next = end;
  }

  /**
   * Whether a leaf counts a value that none of its versions refers to any more: a snapshot was open
   * when the leaf was flushed last, and is not now.
   */
  private boolean isCountedInVain(int page, List<MovedValue> ofLeaf) {
    LargeValueLocations counted = values.ofPage(page);
    return ofLeaf.stream().anyMatch(value -> !value.isWanted() && counted.has(value.from()));
  }

  /** Appends a copy, unless the disk is full or the heap has no room for the record. */
  private void copy(MovedValue value, ExtentRecord record) throws IOException {
    if (full) {
      return;
    }
    try {
      value.copiedTo(extents.appendMoved(record));
    } catch (IOException e) {
      if (extents.failure() != null) {
        throw e;
      }
      full = true;
    } catch (OutOfMemoryError e) { // nothing refers to the copy: the extent waits
      LOG.warn("a value is not moved, because there is no memory for it: {}", e.getMessage());
    }
  }

  /** The next checkpoint asks whether an image refers to a copy; one without an entry goes now. */
  private void settle(MovedValue value) {
    if (value.isMoved()) {
      values.written(value.copy());
    } else {
      extents.release(value.copy());
    }
  }
}
