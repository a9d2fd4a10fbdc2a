package io.bg3.storage.extent;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the bytes of records that are appended to a store's extents, and of those that are live,
 * so that nobody has to look at each extent.
 *
 * <p>Threads: any, but for {@link #opened} and {@link #openedWithMoved}, which come before all
 * others.
 */
final class ExtentCounters {
  /** Extents that are appended while garbage comes to count 1/e, in a small store. */
  private static final int SHORTEST_WINDOW = 4;

  /** In a large store it is this part of the live bytes. */
  private static final int WINDOW_SHARE = 8;

  private final int extentSize;
  private final AtomicLong appended = new AtomicLong();

  /** Bytes of the records that were appended as they were made. */
  private final Map<Stream, LongAdder> fresh = new EnumMap<>(Stream.class);

  /** Bytes of the records that were moved. */
  private final Map<Stream, LongAdder> moved = new EnumMap<>(Stream.class);

  /** Bytes of the records of families that were moved. */
  private final Map<Integer, LongAdder> movedOfFamilies = new ConcurrentHashMap<>();

  private final LongAdder live = new LongAdder();

  /** Bytes that had been appended to the store when it was opened, as its manifest says. */
  private long appendedBefore;

  /** Bytes that had been moved when the store was opened, as its manifest says. */
  private long movedBefore;

  ExtentCounters(int extentSize) {
    this.extentSize = extentSize;
    for (Stream stream : Stream.values()) {
      fresh.put(stream, new LongAdder());
      moved.put(stream, new LongAdder());
    }
  }

  /** Counts an extent that the manifest names. */
  void opened(ExtentUsage row) {
    live.add(row.live());
    appendedBefore = Math.max(appendedBefore, row.windowEnd());
  }

  /** Counts the bytes of records that were moved before the store was opened. */
  void openedWithMoved(long bytes) {
    movedBefore = bytes;
  }

  /** Counts a record that was written. */
  void appended(Stream stream, boolean isMoved, long bytes) {
    appended.addAndGet(bytes);
    (isMoved ? moved : fresh).get(stream).add(bytes);
  }

  /** Counts a record of a family that was moved, besides {@link #appended}. */
  void movedOf(int family, long bytes) {
    movedOfFamilies.computeIfAbsent(family, f -> new LongAdder()).add(bytes);
  }

  /** Counts a record that becomes live. */
  void given(long location) {
    live.add(Location.bytes(location));
  }

  /** Counts a record that is not live any more. */
  void released(long location) {
    live.add(-Location.bytes(location));
  }

  /** Bytes of all records appended since the opening, with their frames. */
  long appended() {
    return appended.get();
  }

  /** Bytes of all records appended since the store was made, as far as its manifests tell. */
  long appendedEver() {
    return appendedBefore + appended.get();
  }

  /** Bytes of the records of a stream that were appended as they were made. */
  long fresh(Stream stream) {
    return fresh.get(stream).sum();
  }

  /** Bytes of the records of a stream that were moved. */
  long moved(Stream stream) {
    return moved.get(stream).sum();
  }

  /** Bytes of all records moved since the store was made, as far as its manifests tell. */
  long movedEver() {
    return movedBefore + moved.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Bytes of the records of a family that were moved. */
  long movedOf(int family) {
    LongAdder bytes = movedOfFamilies.get(family);
    return bytes == null ? 0 : bytes.sum();
  }

  /** Bytes of all live records, as their locations tell them. */
  long live() {
    return live.sum();
  }

  /** The bytes appended in which the weight of garbage falls to 1/e. */
  long window() {
    return Math.max(SHORTEST_WINDOW * (long) extentSize, live() / WINDOW_SHARE);
  }
}
