package io.bg3.core.recovery;

import static java.util.stream.Collectors.groupingBy;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.tree.MovedValue;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.ValueRelocation;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentScan;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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
 * <p>Threads: guarded by the lock of the {@link Checkpointer}.
 */
final class ValueMover {
  private static final Logger LOG = LoggerFactory.getLogger(ValueMover.class);

  private final Forest forest;
  private final ExtentStore extents;
  private final ValueReferences values;
  private final Supplier<Horizon> horizon;
  private final Queue<Integer> victims = new ArrayDeque<>();
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
    scan = null;
  }

  /** Whether there are records left to look at. */
  boolean hasMore() {
    return !victims.isEmpty();
  }

  /**
   * Moves the values of the next records.
   *
   * @param most bytes of records that are looked at
   * @return false if the disk was full
   * @throws IOException if the disk fails; the store then writes no more
   */
  boolean slice(int most) throws IOException {
    full = false;
    List<ExtentRecord> records = read(most);
    Map<Long, ExtentRecord> byLocation = new HashMap<>();
    records.forEach(record -> byLocation.put(record.location(), record));
    for (Map.Entry<Tree, List<MovedValue>> some : byTree(records).entrySet()) {
      move(some.getKey(), some.getValue(), byLocation);
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
    } catch (UnreadableException | IOException e) {
      LOG.warn("values stay in an extent that cannot be read: {}", e.getMessage());
    }
    end(victim);
    return List.of();
  }

  private void end(int victim) {
    if (scan != null && scan.passedBytes() > 0) {
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
      return owner.key().length < Long.BYTES ? null : forest.edges(EdgeKey.owner(owner.key()));
    }
    boolean known = owner.space() >= TreeIds.VERTICES && owner.space() <= TreeIds.DIRECTORY;
    return known ? forest.bytes(owner.space()) : null;
  }

  private void move(Tree tree, List<MovedValue> some, Map<Long, ExtentRecord> records)
      throws IOException {
    ValueRelocation relocation = new ValueRelocation(tree, horizon.get());
    for (int from = 0; from < some.size() && !full; ) {
      int end = relocation.look(some, from);
      List<MovedValue> wanted =
          some.subList(from, end).stream().filter(MovedValue::isWanted).toList();
      for (MovedValue value : wanted) {
        copy(value, records.get(value.from()));
      }
      List<MovedValue> copied = wanted.stream().filter(MovedValue::isCopied).toList();
      try {
        relocation.apply(copied);
      } finally {
        copied.forEach(this::settle);
      }
      from = end;
    }
  }

  /** Appends a copy, unless the disk is full. */
  private void copy(MovedValue value, ExtentRecord record) throws IOException {
    if (full) {
      return;
    }
    try {
      value.copiedTo(
          extents.appendMoved(Stream.VALUE, record.kind(), record.key(), record.payload()));
    } catch (IOException e) {
      if (extents.failure() != null) {
        throw e;
      }
      full = true;
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
