package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.commit.Durability;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.Tree;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store of edges beside a model of what it must have. The edges of one label expire by a clock
 * that the test moves; those of another stay, in the same leaves.
 */
final class ExpiringStore implements AutoCloseable {
  static final int STAYS = EdgeKey.tagLabel(EdgeKey.OUT, 2);
  static final int EXPIRES = EdgeKey.tagLabel(EdgeKey.OUT, EdgeKey.ttlLabel(0, 1));
  static final long TTL = 1_000;

  /** Bytes of a value that lies in its page. */
  static final int SMALL = 20;

  /** Bytes of a value that lies outside of its page. */
  static final int LARGE = 300;

  private static final byte[] TICK = {1};

  /** An edge of the model. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Edge(byte[] value, long expires) {}

  final AtomicLong clock;
  final NavigableMap<byte[], Edge> model;
  final CheckpointedStore store;

  private ExpiringStore(
      AtomicLong clock, NavigableMap<byte[], Edge> model, CheckpointedStore store) {
    this.clock = clock;
    this.model = model;
    this.store = store;
    store.transactions().lifetimes().put(EdgeKey.label(EXPIRES), TTL);
  }

  static ExpiringStore open(CrashingDisk disk) throws IOException {
    AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    return open(disk, clock, new TreeMap<>(Arrays::compareUnsigned));
  }

  private static ExpiringStore open(
      CrashingDisk disk, AtomicLong clock, NavigableMap<byte[], Edge> model) throws IOException {
    CheckpointedStore.Steps steps =
        new CheckpointedStore.Steps() {
          @Override
          ReclaimSettings reclaim() {
            return new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, ReclaimSettings.LEAST);
          }

          @Override
          int capacity() {
            return 2_048; // so that a leaf keeps the marks of a small delta
          }

          @Override
          int extentSize() {
            return 1 << 12;
          }

          @Override
          long millis() {
            return clock.get();
          }
        };
    CheckpointedStore.Replay replay = CheckpointedStore.Replay.FLUSHING;
    CheckpointedStore store = new CheckpointedStore(disk, Durability.SYNC, steps, replay);
    return new ExpiringStore(clock, model, store);
  }

  /** The store that a crash has left of this one. */
  ExpiringStore reopened(CrashingDisk rest) throws IOException {
    store.abandon();
    return open(rest, clock, model);
  }

  /** Puts edges of one owner, in one commit. */
  void put(long owner, int label, int first, int end, int length, int content) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) content);
    store.commit(
        transaction -> {
          for (int other = first; other < end; other++) {
            transaction.putEdge(owner, label, other, 0, value);
          }
        });
    long expires = label == EXPIRES ? committed() + TTL : Long.MAX_VALUE;
    for (int other = first; other < end; other++) {
      model.put(EdgeKey.encode(owner, label, other, 0), new Edge(value, expires));
    }
  }

  void remove(long owner, int label, int other) {
    store.commit(transaction -> transaction.deleteEdge(owner, label, other, 0));
    model.remove(EdgeKey.encode(owner, label, other, 0));
  }

  /** The time of the newest commit. */
  private long committed() {
    return store.transactions().visible() >>> Expiry.STAMP_SHIFT;
  }

  /** Has time pass, and commits something elsewhere, so that entries may go by it. */
  void pass(long millis) {
    clock.addAndGet(millis);
    store.commit(transaction -> transaction.put(TreeIds.META, TICK, TICK));
  }

  Transaction reader() {
    return store.transactions().begin(Isolation.STRICT, true);
  }

  /** The edges that a reader of now must see. */
  NavigableMap<byte[], Edge> shown() {
    NavigableMap<byte[], Edge> shown = new TreeMap<>(model);
    shown.values().removeIf(edge -> edge.expires() <= clock.get());
    return shown;
  }

  /** Compares all edges. */
  static void compare(Map<byte[], Edge> expected, Transaction reader, String at) {
    try (EdgeCursor cursor = reader.allEdges(EdgeKey.OUT, true)) {
      for (Map.Entry<byte[], Edge> edge : expected.entrySet()) {
        String which = at + ": " + EdgeKey.toString(edge.getKey());
        assertEquals(true, cursor.next(), which);
        assertEquals(EdgeKey.owner(edge.getKey()), cursor.owner(), which);
        assertEquals(EdgeKey.other(edge.getKey()), cursor.other(), which);
        assertArrayEquals(edge.getValue().value(), cursor.value(), which);
      }
      assertEquals(false, cursor.next(), at);
    }
  }

  /** Compares all edges, and checks the store. */
  void compare(String at) {
    try (Transaction reader = reader()) {
      compare(shown(), reader, at);
    }
    assertEquals(List.of(), store.check(), at);
  }

  /** Number of large values that count as live. */
  long liveValues() {
    return store.opened().extents().usage().stream()
        .filter(usage -> usage.stream() == Stream.VALUE)
        .mapToLong(ExtentUsage::liveRecords)
        .sum();
  }

  /**
   * Number of large values that leaves refer to, in memory or, where they are not there, stored.
   */
  long wantedValues() {
    Set<Long> wanted = new HashSet<>();
    for (Tree tree : store.opened().forest().trees()) {
      var checker =
          tree.checker(
              (page, references) -> {},
              (references, page) -> {
                Arrays.stream(references.locations()).forEach(wanted::add);
                return 0;
              });
      while (checker.next(Integer.MAX_VALUE)) {}
    }
    return wanted.size();
  }

  @Override
  public void close() {
    store.abandon();
  }
}
