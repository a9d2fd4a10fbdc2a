package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reading records several at a time, compared with reading one. */
class RecordReadAheadTest {
  private static final byte KIND = 7;
  private static final int EXTENT = 1 << 18;

  private final Disk disk = new MemoryDisk();
  private final ExtentSettings settings = new ExtentSettings(99, EXTENT, 4, () -> 1);

  private int reads;

  /** Reads of more bytes fail. */
  private int most = Integer.MAX_VALUE;

  private ExtentStore open() throws IOException {
    Disk counting =
        new ForwardingDisk(disk) {
          @Override
          protected DiskFile wrap(DiskFile file) {
            return new ForwardingFile(file) {
              @Override
              public int read(ByteBuffer to, long position) throws IOException {
                if (position >= Extent.FIRST_RECORD) { // not the header
                  reads++;
                }
                if (to.remaining() > most) {
                  throw new IOException("Input/output error");
                }
                return super.read(to, position);
              }
            };
          }
        };
    return ExtentStore.open(counting, settings, List.of());
  }

  private static List<Long> append(ExtentStore store, int count, Random random, int longest)
      throws IOException {
    List<Long> locations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Stream stream = i % 2 == 0 ? Stream.BASE : Stream.DELTA;
      byte[] payload = new byte[random.nextInt(longest)];
      random.nextBytes(payload);
      long location = store.append(stream, KIND, i, ByteBuffer.wrap(payload));
      assertEquals(i, store.read(location).key());
      locations.add(location);
    }
    return locations;
  }

  private static void assertSame(ExtentRecord one, ExtentRecord other) {
    assertEquals(one.location(), other.location());
    assertEquals(one.key(), other.key());
    assertEquals(one.kind(), other.kind());
    assertEquals(one.payload(), other.payload());
  }

  @Test
  void recordsAreThoseThatAreReadOneByOne() throws IOException {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      try (ExtentStore store = open()) {
        int longest = 1 + random.nextInt(random.nextBoolean() ? 100 : 100_000);
        List<Long> locations = append(store, 200, random, longest);
        if (random.nextBoolean()) {
          Collections.shuffle(locations, random);
        }
        RecordReadAhead ahead = store.readAhead();
        for (long location : locations) {
          if (random.nextInt(4) > 0) {
            assertSame(store.read(location), ahead.read(location));
          }
        }
      }
      for (String file : disk.list()) {
        disk.delete(file);
      }
    }
  }

  /** Reads records ahead, compares them with those read one by one, and counts the reads. */
  private int readsOf(ExtentStore store, List<Long> locations) throws IOException {
    List<ExtentRecord> expected = new ArrayList<>();
    for (long location : locations) {
      expected.add(store.read(location));
    }
    RecordReadAhead ahead = store.readAhead();
    reads = 0;
    for (ExtentRecord record : expected) {
      assertSame(record, ahead.read(record.location()));
    }
    return reads;
  }

  @Test
  void smallRecordsInTheirOrderTakeFewReads() throws IOException {
    try (ExtentStore store = open()) {
      int few = readsOf(store, append(store, 2_000, new Random(1), 200)); // of two extents in turn
      assertTrue(few < 20, few + " reads of 2,000 records");
    }
  }

  @Test
  void recordsInAnotherOrderAreReadAlone() throws IOException {
    try (ExtentStore store = open()) {
      List<Long> locations = append(store, 400, new Random(2), 200);
      Collections.reverse(locations);
      most = 300;
      assertEquals(400, readsOf(store, locations));
    }
  }

  @Test
  void aRecordThatIsDamagedIsFoundAndNoOther() throws IOException {
    List<Long> locations;
    try (ExtentStore store = open()) {
      locations = append(store, 100, new Random(3), 200);
      long damaged = locations.get(50);
      String name =
          disk.list().stream().filter(file -> file.contains("base")).findAny().orElseThrow();
      try (DiskFile file = disk.open(name)) {
        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), Location.offset(damaged) + 30);
      }
      RecordReadAhead ahead = store.readAhead();
      for (long location : locations) {
        if (location == damaged) {
          assertThrows(CorruptionException.class, () -> ahead.read(location));
        } else {
          assertSame(store.read(location), ahead.read(location));
        }
      }
    }
  }

  /** A disk that cannot read one block must not hide the records beside it. */
  @Test
  void whereTheRestCannotBeReadARecordIsReadAlone() throws IOException {
    try (ExtentStore store = open()) {
      List<Long> locations = append(store, 100, new Random(4), 200);
      most = 300;
      assertTrue(readsOf(store, locations) > 100, "none was read ahead");
    }
  }

  @Test
  void anExtentThatIsGoneIsNamed() throws IOException {
    try (ExtentStore store = open()) {
      long location = append(store, 1, new Random(5), 200).get(0);
      RecordReadAhead ahead = store.readAhead();
      ahead.read(location);
      store.release(location);
      store.sealTail(Location.extent(location));
      store.delete(Location.extent(location));
      assertThrows(NoSuchExtentException.class, () -> ahead.read(location));
    }
  }
}
