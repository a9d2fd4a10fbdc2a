package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Single steps of the extents, on files in memory. */
class ExtentStoreTest {
  private static final byte KIND = 7;

  private final Disk disk = new MemoryDisk();
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final ExtentSettings settings = new ExtentSettings(99, 1 << 10, 2, clock::get);

  @Test
  void aRecordIsReadAsItWasAppended() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long location =
          store.append(
              Stream.VALUE, KIND, 42, ByteBuffer.wrap(bytes(3)), ByteBuffer.wrap(bytes(4)));
      ExtentRecord record = store.read(location);
      assertEquals(location, record.location());
      assertEquals(KIND, record.kind());
      assertEquals(42, record.key());
      assertEquals(ByteOrder.LITTLE_ENDIAN, record.payload().order());
      assertEquals(ByteBuffer.wrap(new byte[] {0, 1, 2, 0, 1, 2, 3}), record.payload());
      assertEquals(List.of("extent-value-00000001"), disk.list());
    }
  }

  @Test
  void partsKeepTheirPositions() throws IOException {
    try (ExtentStore store = open(List.of())) {
      ByteBuffer part = ByteBuffer.wrap(bytes(10)).position(4).limit(6);
      long location = store.append(Stream.BASE, KIND, 1, part);
      assertEquals(4, part.position());
      assertEquals(ByteBuffer.wrap(new byte[] {4, 5}), store.read(location).payload());
    }
  }

  @Test
  void anExtentThatIsFullIsSealedAndTheNextBegun() throws IOException {
    try (ExtentStore store = open(List.of())) {
      for (int i = 0; i < 10; i++) {
        store.append(Stream.BASE, KIND, i, ByteBuffer.wrap(bytes(200)));
      }
      List<ExtentUsage> usage = store.usage();
      assertEquals(3, usage.size());
      assertEquals(List.of(true, true, false), usage.stream().map(ExtentUsage::sealed).toList());
      assertEquals(64 + 4 * 224, usage.get(0).written());
      assertEquals(4, usage.get(0).liveRecords());
      assertEquals(4 * 224, usage.get(0).live());
      assertEquals(10 * 224, store.appendedBytes());
      assertEquals(10 * 224, store.liveBytes());
    }
  }

  @Test
  void anOversizeRecordGetsAnExtentOfItsOwn() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long small = store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      long large = store.append(Stream.VALUE, KIND, 2, ByteBuffer.wrap(bytes(5000)));
      long next = store.append(Stream.VALUE, KIND, 3, ByteBuffer.wrap(bytes(10)));
      assertEquals(Location.extent(small), Location.extent(next));
      assertNotEquals(Location.extent(small), Location.extent(large));
      assertEquals(ByteBuffer.wrap(bytes(5000)), store.read(large).payload());
      assertTrue(store.usage().get(1).sealed());
    }
  }

  @Test
  void streamsDoNotShareExtents() throws IOException {
    try (ExtentStore store = open(List.of())) {
      for (Stream stream : Stream.values()) {
        store.append(stream, KIND, 1, ByteBuffer.wrap(bytes(10)));
      }
      assertEquals(
          List.of(Stream.values()), store.usage().stream().map(ExtentUsage::stream).toList());
    }
  }

  @Test
  void appendsGoOnBehindWhatTheManifestKnows() throws IOException {
    long first;
    List<ExtentUsage> manifest;
    try (ExtentStore store = open(List.of())) {
      first = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      manifest = store.usage();
      store.append(Stream.BASE, KIND, 2, ByteBuffer.wrap(bytes(11)));
      store.append(Stream.VALUE, KIND, 3, ByteBuffer.wrap(bytes(11)));
    }
    try (ExtentStore store = open(manifest)) {
      assertEquals(List.of("extent-base-00000001"), disk.list());
      assertEquals(manifest, store.usage());
      long second = store.append(Stream.BASE, KIND, 4, ByteBuffer.wrap(bytes(12)));
      assertEquals(manifest.get(0).written(), Location.offset(second));
      assertEquals(4, store.read(second).key());
      assertEquals(1, store.read(first).key());
    }
  }

  @Test
  void anExtentIsDeletedWhenNothingInItIsLive() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long one = store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(400)));
      long two = store.append(Stream.VALUE, KIND, 2, ByteBuffer.wrap(bytes(400)));
      long three = store.append(Stream.VALUE, KIND, 3, ByteBuffer.wrap(bytes(400)));
      store.release(one);
      assertEquals(List.of(), store.dead());
      int extent = Location.extent(one);
      assertThrows(IllegalArgumentException.class, () -> store.delete(extent));
      store.release(two);
      store.release(three);
      assertEquals(List.of(extent), store.dead(), "the open extent is not dead");
      store.delete(extent);
      assertThrows(NoSuchExtentException.class, () -> store.read(one));
      assertThrows(NoSuchExtentException.class, () -> store.release(one));
      assertEquals(List.of("extent-value-00000002"), disk.list());
      store.sync();
    }
  }

  @Test
  void aDeadExtentWhoseFileACrashTookIsDeletedAgain() throws IOException {
    List<ExtentUsage> manifest;
    int extent;
    try (ExtentStore store = open(List.of())) {
      long large = store.append(Stream.VALUE, KIND, 2, ByteBuffer.wrap(bytes(5000)));
      extent = Location.extent(large);
      store.release(large);
      manifest = store.usage();
      store.delete(extent);
    }
    try (ExtentStore store = open(manifest)) {
      assertEquals(List.of(), store.check());
      store.delete(extent);
      assertEquals(List.of(), store.usage());
    }
  }

  @Test
  void releasingTwiceIsFound() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long location = store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(40)));
      store.release(location);
      assertThrows(AssertionError.class, () -> store.release(location));
    }
  }

  @Test
  void aRecordIsReadThroughTheCallersBufferWhereItFits() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long small = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(40)));
      long large = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(200)));
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(128), ByteBuffer.allocateDirect(128))) {
        buffer.position(8);
        ExtentRecord record = store.read(small, buffer);
        assertEquals(ByteBuffer.wrap(bytes(40)), record.payload());
        assertEquals(ByteOrder.LITTLE_ENDIAN, record.payload().order());
        assertEquals(8, buffer.position());
        buffer.put(8 + RecordFrame.PAYLOAD, (byte) 99);
        assertEquals(99, record.payload().get(0), "a part of the buffer");
        assertEquals(ByteBuffer.wrap(bytes(200)), store.read(large, buffer).payload());
      }
    }
  }

  @Test
  void noMoreOfAFileIsLiveThanIsWritten() throws IOException {
    try (ExtentStore store = open(List.of())) {
      List<Long> locations = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        locations.add(store.append(Stream.VALUE, KIND, i, ByteBuffer.wrap(bytes(70 + i % 2))));
      }
      for (ExtentUsage usage : store.usage()) {
        assertEquals(usage.written(), usage.liveInFile());
      }
      for (int i = 0; i < 40; i += 2) {
        store.release(locations.get(i));
      }
      ExtentUsage half = store.usage().get(0);
      assertEquals(0.5, (double) half.liveInFile() / half.written(), 0.1);
    }
  }

  @Test
  void garbageCountsLessWithBytesAppendedAndNotWithTime() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long one = store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(184)));
      store.append(Stream.VALUE, KIND, 2, ByteBuffer.wrap(bytes(184)));
      store.release(one);
      clock.addAndGet(1_000_000_000_000L);
      ExtentUsage now = store.usage().get(0);
      assertEquals(0.5, now.fragmentation());
      assertEquals(208, now.garbage());
      assertEquals(0.25, now.updateGradient(4 * 208));
      assertEquals(2 * 208, now.windowEnd());
      assertEquals(1_000_000, now.newest());
      assertEquals(4L * store.extentSize(), store.window());
    }
    Extent extent = new Extent(1, Stream.BASE, false, 0, 5, 100);
    extent.release(extent.give(80, 6), 1_100, 1_000);
    assertEquals(80, extent.usage(1_100, 1_000).garbage());
    ExtentUsage later = extent.usage(2_100, 1_000);
    assertEquals(80 / Math.E, later.garbage(), 1e-9);
    assertEquals(2_100, later.windowEnd());
    assertEquals(later, extent.usage(2_000, 1_000), "a count that is older changes nothing");
  }

  @Test
  void theBytesAppendedGoOnFromTheManifest() throws IOException {
    List<ExtentUsage> manifest;
    try (ExtentStore store = open(List.of())) {
      store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(184)));
      assertEquals(208, store.appendedEver());
      manifest = store.usage();
      store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(184)));
    }
    try (ExtentStore store = open(manifest)) {
      assertEquals(208, store.appendedEver());
      store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(184)));
      assertEquals(2 * 208, store.appendedEver());
      assertEquals(208, store.appendedBytes());
    }
  }

  @Test
  void recordsThatAreMovedHaveExtentsOfTheirOwn() throws IOException {
    List<ExtentUsage> manifest;
    try (ExtentStore store = open(List.of())) {
      long fresh = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100)));
      long copy = store.appendMoved(Stream.BASE, KIND, 1, store.read(fresh).payload());
      long next = store.append(Stream.BASE, KIND, 2, ByteBuffer.wrap(bytes(100)));
      assertEquals(store.read(fresh).payload(), store.read(copy).payload());
      assertEquals(Location.extent(fresh), Location.extent(next));
      assertNotEquals(Location.extent(fresh), Location.extent(copy));
      assertEquals(List.of(false, true), moved(store));
      assertEquals(128, store.movedBytes(Stream.BASE));
      assertEquals(0, store.movedBytes(Stream.DELTA));
      manifest = store.usage();
    }
    try (ExtentStore store = open(manifest)) {
      assertEquals(manifest, store.usage());
      for (int i = 0; i < 2; i++) {
        store.append(Stream.BASE, KIND, 3, ByteBuffer.wrap(bytes(100)));
        store.appendMoved(Stream.BASE, KIND, 3, ByteBuffer.wrap(bytes(100)));
      }
      assertEquals(List.of(false, true), moved(store), "both tails are continued");
    }
  }

  @Test
  void recordsThatExpireTogetherHaveExtentsOfTheirOwn() throws IOException {
    List<ExtentUsage> manifest;
    long first;
    try (ExtentStore store = open(List.of())) {
      first = store.appendExpiring(Stream.BASE, 7, 30, KIND, 1, ByteBuffer.wrap(bytes(100)));
      store.appendExpiring(Stream.BASE, 7, 20, KIND, 2, ByteBuffer.wrap(bytes(100)));
      store.appendExpiring(Stream.BASE, 255, 40, KIND, 3, ByteBuffer.wrap(bytes(100)));
      store.appendExpiring(Stream.BASE, 0, 50, KIND, 4, ByteBuffer.wrap(bytes(100)));
      assertEquals(List.of(7, 255, 0), store.usage().stream().map(ExtentUsage::family).toList());
      assertEquals(30, store.usage().get(0).newest());
      assertEquals(40, store.usage().get(1).newest());
      manifest = store.usage();
    }
    try (ExtentStore store = open(manifest)) {
      assertEquals(manifest, store.usage());
      store.appendExpiring(Stream.BASE, 7, 60, KIND, 5, ByteBuffer.wrap(bytes(100)));
      assertEquals(3, store.usage().size(), "the tail is continued");
      long copy = store.appendMoved(store.read(first));
      ExtentUsage moved = store.usage().get(3);
      assertEquals(moved.extent(), Location.extent(copy));
      assertEquals(7, moved.family());
      assertTrue(moved.moved());
      assertEquals(60, moved.newest(), "not before the extent that it comes from");
      assertEquals(100, store.movedBytesOfFamily(7));
      assertEquals(0, store.movedBytesOfFamily(255));
    }
  }

  private static NewRecord record(Stream stream, int family, long key) {
    return new NewRecord(stream, family, 30, KIND, key, ByteBuffer.wrap(bytes(100)));
  }

  @Test
  void recordsThatAreAppendedTogetherShareAWriteForEachTail() throws IOException {
    CrashingDisk counting = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(counting, settings, List.of())) {
      store.append(List.of(record(Stream.BASE, 0, 1), record(Stream.DELTA, 0, 2)));
      long before = counting.writes();
      long[] locations =
          store.append(
              List.of(
                  record(Stream.BASE, 0, 3),
                  record(Stream.DELTA, 0, 4),
                  record(Stream.BASE, 0, 5),
                  record(Stream.BASE, 0, 6),
                  record(Stream.DELTA, 0, 7)));
      assertEquals(2, counting.writes() - before);
      for (int i = 0; i < locations.length; i++) {
        assertEquals(3 + i, store.read(locations[i]).key());
        assertEquals(ByteBuffer.wrap(bytes(100)), store.read(locations[i]).payload());
      }
      assertEquals(4 * 128, store.appendedBytes(Stream.BASE));
      assertEquals(0, store.append(List.of()).length);
      store.append(List.of(record(Stream.BASE, 9, 8)));
      assertEquals(List.of(0, 0, 9), store.usage().stream().map(ExtentUsage::family).toList());
      assertEquals(30, store.usage().get(2).newest());
    }
  }

  /** Also those that were written before, to another extent. */
  @Test
  void ofRecordsThatAreAppendedTogetherAllAreThereOrNone() throws IOException {
    for (int operation = 1; operation <= 6; operation++) { // of two extents: create, header, run
      CrashingDisk full = new CrashingDisk();
      ExtentStore store = ExtentStore.plan(full, settings, List.of());
      full.failAt(operation, CrashingDisk.Fault.ENOSPC, false);
      List<NewRecord> records =
          List.of(record(Stream.BASE, 0, 1), record(Stream.DELTA, 0, 2), record(Stream.BASE, 0, 3));
      assertThrows(IOException.class, () -> store.append(records), "operation " + operation);
      full.heal();
      assertEquals(0, store.liveBytes());
      assertEquals(0, store.usage().stream().mapToLong(ExtentUsage::liveRecords).sum());
      assertEquals(null, store.failure(), "the opening of the store goes on");
      for (long location : store.append(records)) {
        store.read(location);
      }
      store.close();
    }
  }

  private static List<Boolean> moved(ExtentStore store) {
    return store.usage().stream().map(ExtentUsage::moved).toList();
  }

  @Test
  void aTailThatIsSealedCanDie() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long one = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100)));
      long other = store.appendMoved(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100)));
      store.release(one);
      assertEquals(List.of(), store.dead());
      store.sealTail(Location.extent(one));
      store.sealTail(Location.extent(one));
      store.sealTail(77); // gone meanwhile
      assertEquals(List.of(Location.extent(one)), store.dead());
      long next = store.append(Stream.BASE, KIND, 2, ByteBuffer.wrap(bytes(100)));
      assertNotEquals(Location.extent(one), Location.extent(next));
      store.delete(Location.extent(one));
      store.sync();
      assertEquals(2, store.read(next).key());
      assertEquals(1, store.read(other).key());
    }
  }

  @Test
  void aCopyThatDoesNotFitOnTheDiskEndsNothing() throws IOException {
    CrashingDisk full = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(full, settings, List.of())) {
      long one = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100)));
      for (int operation = 1; operation <= 2; operation++) { // create, write of the header
        full.failAt(operation, CrashingDisk.Fault.ENOSPC, false);
        assertThrows(
            IOException.class,
            () -> store.appendMoved(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100))));
      }
      full.heal();
      long copy = store.appendMoved(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100)));
      full.failAt(1, CrashingDisk.Fault.ENOSPC, true);
      assertThrows(
          IOException.class,
          () -> store.appendMoved(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100))));
      full.heal();
      assertEquals(null, store.failure());
      assertEquals(1, store.usage().get(1).liveRecords());
      store.append(Stream.BASE, KIND, 2, ByteBuffer.wrap(bytes(100)));
      store.sync();
      assertEquals(List.of(), store.check());
      assertEquals(store.read(one).payload(), store.read(copy).payload());
      full.failAt(1, CrashingDisk.Fault.EIO, false);
      assertThrows(
          IOException.class,
          () -> store.appendMoved(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(100))));
      assertTrue(store.failure() != null, "nobody knows what reached the disk");
    }
  }

  @Test
  void aMissingOrForeignFileIsCorruptionWhenItIsReadAndNotBefore() throws IOException {
    long base;
    long value;
    List<ExtentUsage> manifest;
    try (ExtentStore store = open(List.of())) {
      base = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      value = store.append(Stream.VALUE, KIND, 2, ByteBuffer.wrap(bytes(11)));
      manifest = store.usage();
    }
    disk.delete("extent-base-00000001");
    disk.rename("extent-value-00000002", "extent-base-00000001");
    try (ExtentStore store = open(manifest)) {
      assertThrows(CorruptionException.class, () -> store.read(base));
      assertThrows(CorruptionException.class, () -> store.read(value));
      assertEquals(2, store.check().size());
      long next = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      assertEquals(3, Location.extent(next));
    }
  }

  @Test
  void anExtentOfAnotherStoreIsRefused() throws IOException {
    long location;
    List<ExtentUsage> manifest;
    try (ExtentStore store = open(List.of())) {
      location = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      manifest = store.usage();
    }
    try (ExtentStore other = ExtentStore.open(disk, ExtentSettings.of(100, 1 << 10), manifest)) {
      assertThrows(CorruptionException.class, () -> other.read(location));
    }
  }

  @Test
  void aRecordPutElsewhereIsNotValidThere() throws IOException {
    try (ExtentStore store = open(List.of())) {
      long one = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      long two = store.append(Stream.BASE, KIND, 2, ByteBuffer.wrap(bytes(10)));
      try (DiskFile file = disk.open("extent-base-00000001")) {
        ByteBuffer frame = ByteBuffer.allocate(40);
        file.read(frame, Location.offset(one));
        file.write(frame.flip(), Location.offset(two));
      }
      CorruptionException e = assertThrows(CorruptionException.class, () -> store.read(two));
      assertTrue(e.getMessage().contains("F2: checksum"), e.getMessage());
    }
  }

  @Test
  void damagedLocationsNeverReadAWrongRecord() throws IOException {
    try (ExtentStore store = open(List.of())) {
      List<Long> locations = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        locations.add(store.append(Stream.BASE, KIND, i, ByteBuffer.wrap(bytes(i * 7))));
      }
      for (long location : locations) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
          long damaged = location ^ 1L << bit;
          if (!locations.contains(damaged)) {
            RuntimeException e = assertThrows(RuntimeException.class, () -> store.read(damaged));
            assertTrue(
                e instanceof CorruptionException || e instanceof NoSuchExtentException,
                e.toString());
          }
        }
      }
    }
  }

  @Test
  void locationsBoundTheLengthByAnEighth() {
    int previous = 0;
    for (long words = 0; words < 100_000; words++) {
      assertClass(words * 8, previous);
      previous = Location.classOf(words * 8);
    }
    for (long bytes = 1 << 20; bytes <= 1L << 31; bytes += bytes / 1000 & -8) {
      assertClass(bytes, 0);
    }
  }

  private static void assertClass(long bytes, int smallest) {
    int lengthClass = Location.classOf(bytes);
    assertTrue(lengthClass >= smallest && lengthClass < 256, "bytes=" + bytes);
    long bound = Location.bytes(lengthClass);
    assertTrue(bound >= bytes && bound <= bytes + bytes / 8, "bytes=" + bytes + ", bound=" + bound);
    assertEquals(lengthClass, Location.classOf(bound));
  }

  @Test
  void locationsHoldTheirParts() {
    long location = Location.of(0xFEDCBA98, Location.MAX_OFFSET, 1000);
    assertEquals(0xFEDCBA98, Location.extent(location));
    assertEquals(Location.MAX_OFFSET, Location.offset(location));
    assertEquals(1024, Location.bytes(location));
    assertEquals("fedcba98:134217720+1024", Location.toString(location));
  }

  @Test
  void appendsFromManyThreadsDoNotMix() throws Exception {
    try (ExtentStore store = open(List.of())) {
      ConcurrentHashMap<Long, Integer> appended = new ConcurrentHashMap<>();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int number = t;
        Thread thread =
            new Thread(
                () -> {
                  Random random = new Random(number);
                  try {
                    for (int i = 0; i < 500; i++) {
                      int length = random.nextInt(random.nextInt(20) == 0 ? 3000 : 300);
                      long key = (long) number << 32 | i;
                      long location =
                          store.append(
                              Stream.VALUE, (byte) number, key, ByteBuffer.wrap(bytes(length)));
                      assertEquals(null, appended.put(location, length));
                      if (i % 50 == number) {
                        store.sync();
                      }
                      assertEquals(key, store.read(location).key());
                    }
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(null, failure.get());
      for (var entry : appended.entrySet()) {
        ByteBuffer payload = store.read(entry.getKey()).payload();
        byte[] found = new byte[payload.remaining()];
        payload.get(found);
        assertArrayEquals(bytes(entry.getValue()), found);
      }
      assertEquals(2000, store.usage().stream().mapToLong(ExtentUsage::liveRecords).sum());
      assertEquals(List.of(), store.check());
    }
  }

  @Test
  void theFirstFailureIsFinalForWritingAndNotForReading() throws IOException {
    CrashingDisk failing = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(failing, settings, List.of())) {
      long location = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      failing.failAt(1, CrashingDisk.Fault.EIO, false);
      IOException first = assertThrows(IOException.class, store::sync);
      assertEquals(first, assertThrows(IOException.class, store::sync).getCause());
      assertEquals(
          first,
          assertThrows(
                  IOException.class,
                  () -> store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10))))
              .getCause());
      assertEquals(first, store.failure());
      assertEquals(1, store.read(location).key());
    }
  }

  @Test
  void aDeadExtentThatCannotBeDeletedIsDeletedLater() throws IOException {
    boolean[] refuses = {true};
    Disk failing =
        new ForwardingDisk(disk) {
          @Override
          protected DiskFile wrap(DiskFile file) {
            return file;
          }

          @Override
          public void delete(String name) throws IOException {
            if (refuses[0]) {
              throw new IOException("Input/output error");
            }
            super.delete(name);
          }
        };
    try (ExtentStore store = ExtentStore.open(failing, settings, List.of())) {
      long location = store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(5000)));
      store.release(location);
      store.deleteDeadNeverNamed();
      assertEquals(1, disk.list().size());
      assertEquals(List.of(), store.usageToName());
      store.append(Stream.VALUE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      refuses[0] = false;
      store.deleteDeadNeverNamed();
      assertEquals(List.of("extent-value-00000002"), disk.list());
    }
  }

  @Test
  void anUnnamedFileThatHasGoneIsNoReasonToStop() throws IOException {
    disk.create("extent-value-00000005").close();
    disk.create("extent-value-00000006").close();
    try (ExtentStore store = ExtentStore.plan(disk, settings, List.of())) {
      disk.delete("extent-value-00000006");
      store.deleteUnnamed();
      assertEquals(List.of(), store.unnamed());
      assertEquals(List.of(), disk.list());
    }
  }

  /** The file is there, and its header does not fit. */
  @Test
  void anExtentThatFindsNoSpaceLeavesNoFile() throws IOException {
    boolean[] full = {true};
    List<DiskFile> open = new ArrayList<>();
    Disk failing =
        new ForwardingDisk(disk) {
          @Override
          protected DiskFile wrap(DiskFile file) {
            DiskFile wrapped =
                new ForwardingFile(file) {
                  @Override
                  public void write(ByteBuffer from, long position) throws IOException {
                    if (full[0]) {
                      throw new IOException("No space left on device");
                    }
                    super.write(from, position);
                  }

                  @Override
                  public void close() throws IOException {
                    open.remove(this);
                    super.close();
                  }
                };
            open.add(wrapped);
            return wrapped;
          }
        };
    try (ExtentStore store = ExtentStore.plan(failing, settings, List.of())) {
      for (int i = 0; i < 3; i++) {
        assertThrows(
            IOException.class,
            () -> store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10))));
        assertEquals(List.of(), disk.list());
        assertEquals(List.of(), open);
      }
      full[0] = false;
      long location = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(10)));
      assertEquals(ByteBuffer.wrap(bytes(10)), store.read(location).payload());
    }
  }

  @Test
  void oneReadFetchesARecord() throws IOException {
    CrashingDisk counting = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(counting, settings, List.of())) {
      long location = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(500)));
      long before = counting.operations();
      store.read(location);
      assertEquals(before + 1, counting.operations());
    }
  }

  @Test
  void filesThatNobodyWritesToAreClosedBeyondTheLimit() throws IOException {
    CrashingDisk counting = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(counting, settings, List.of())) {
      List<Long> locations = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        locations.add(store.append(Stream.BASE, KIND, i, ByteBuffer.wrap(bytes(400))));
      }
      assertEquals(20, counting.openFiles(), "what is not synced stays open");
      store.sync();
      for (int i = 0; i < 40; i++) {
        assertEquals(i, store.read(locations.get(i)).key());
      }
      assertTrue(counting.openFiles() <= 3, "openFiles=" + counting.openFiles());
    }
    assertEquals(0, counting.openFiles());
  }

  @Test
  void whatIsSyncedIsReadDirectlyOnceTheStoreIsOpen() throws IOException {
    DirectReadCounter counter = new DirectReadCounter();
    try (ExtentStore store = ExtentStore.open(counter, settings.withDirect(true), List.of())) {
      long page = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(400)));
      long row = store.append(Stream.MAP, KIND, 2, ByteBuffer.wrap(bytes(400)));
      store.sync();
      assertEquals(1, store.read(page).key());
      assertEquals(0, counter.directReads, "while the store is being opened");
      store.readDirectly();
      assertEquals(1, store.read(page).key());
      assertEquals(1, store.read(page, ByteBuffer.allocateDirect(1 << 10)).key());
      assertEquals(2, counter.directReads);
      assertEquals(2, store.read(row).key());
      assertEquals(2, counter.directReads, "a row of the page table");
      long fresh = store.append(Stream.BASE, KIND, 3, ByteBuffer.wrap(bytes(40)));
      assertEquals(3, store.read(fresh).key());
      assertEquals(2, counter.directReads, "what is not synced");
    }
    DirectReadCounter cached = new DirectReadCounter();
    try (ExtentStore store = ExtentStore.open(cached, settings, List.of())) {
      long page = store.append(Stream.BASE, KIND, 1, ByteBuffer.wrap(bytes(400)));
      store.sync();
      store.readDirectly();
      assertEquals(1, store.read(page).key());
      assertEquals(0, cached.directReads, "settings without direct reads");
    }
  }

  /** Counts the reads of records that pass the cache by. */
  private static final class DirectReadCounter extends ForwardingDisk {
    private int directReads;

    DirectReadCounter() {
      super(new MemoryDisk());
    }

    @Override
    protected DiskFile wrap(DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public int readDirect(ByteBuffer to, long position) throws IOException {
          directReads++;
          return super.readDirect(to, position);
        }
      };
    }
  }

  @Test
  void aFileIsOpenedOnceAndItsHeaderReadOnceWhileItStaysOpen() throws IOException {
    List<Long> locations = new ArrayList<>();
    List<ExtentUsage> manifest;
    CrashingDisk counting = new CrashingDisk();
    ExtentSettings enough = new ExtentSettings(99, 1 << 10, 100, clock::get);
    try (ExtentStore store = ExtentStore.open(counting, enough, List.of())) {
      for (int i = 0; i < 100; i++) {
        locations.add(store.append(Stream.BASE, KIND, i, ByteBuffer.wrap(bytes(800))));
      }
      store.sync();
      manifest = store.usage();
    }
    try (ExtentStore store = ExtentStore.open(counting, enough, manifest)) {
      long before = counting.operations();
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 100; i++) {
          assertEquals(i, store.read(locations.get(i)).key());
        }
      }
      assertEquals(100, store.openedFiles());
      // a read for each record; an opening and a read of the header for each file but the last
      assertEquals(500 + 2 * 99, counting.operations() - before);
    }
    ExtentSettings few = new ExtentSettings(99, 1 << 10, 10, clock::get);
    try (ExtentStore store = ExtentStore.open(counting, few, manifest)) {
      for (int i = 0; i < 100; i++) {
        store.read(locations.get(i));
      }
      long before = counting.operations() - store.openedFiles();
      for (int i = 0; i < 100; i++) {
        store.read(locations.get(i));
      }
      long after = counting.operations() - store.openedFiles();
      assertEquals(100, after - before, "headers are not read again");
      assertTrue(counting.openFiles() <= 11, "openFiles=" + counting.openFiles());
      long opened = store.openedFiles();
      for (int i = 0; i < 100; i++) {
        store.read(locations.get(i % 5));
      }
      assertTrue(store.openedFiles() <= opened + 5, "what is read often stays open");
    }
  }

  @Test
  void manyThreadsReadMoreFilesThanMayBeOpen() throws Exception {
    CrashingDisk counting = new CrashingDisk();
    List<Long> locations = new ArrayList<>();
    ExtentSettings few = new ExtentSettings(99, 1 << 10, 4, clock::get);
    try (ExtentStore store = ExtentStore.open(counting, few, List.of())) {
      for (int i = 0; i < 60; i++) {
        locations.add(store.append(Stream.BASE, KIND, i, ByteBuffer.wrap(bytes(800))));
      }
      store.sync();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        long seed = t;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    Random random = new Random(seed);
                    for (int i = 0; i < 4_000; i++) {
                      int record = random.nextInt(seed % 2 == 0 ? 50 : 8);
                      assertEquals(record, store.read(locations.get(record)).key());
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (int i = 50; i < 59; i++) { // sealed, and nobody reads them
        store.release(locations.get(i));
        store.delete(Location.extent(locations.get(i)));
        assertThrows(NoSuchExtentException.class, () -> store.read(locations.get(50)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(null, failure.get());
      store.read(locations.get(0));
      assertTrue(counting.openFiles() <= 6, "openFiles=" + counting.openFiles());
    }
    assertEquals(0, counting.openFiles());
  }

  @Test
  void settingsOutsideTheirRangesAreRefused() {
    assertTrue(ExtentSettings.of(1, 1 << 10).openFiles() >= 64);
    assertThrows(IllegalArgumentException.class, () -> ExtentSettings.of(1, 1000));
    assertThrows(IllegalArgumentException.class, () -> ExtentSettings.of(1, 1 << 28));
    assertThrows(IllegalArgumentException.class, () -> ExtentSettings.of(1, (1 << 20) + 4));
    assertFalse(Extent.isName("extent-base-1"));
  }

  private ExtentStore open(List<ExtentUsage> manifest) throws IOException {
    return ExtentStore.open(disk, settings, manifest);
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
