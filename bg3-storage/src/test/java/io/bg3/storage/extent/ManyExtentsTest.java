package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Opens a store of 655,360 extents, ten tebibytes, on a disk that makes up the files: each holds
 * its header and one record. Counts how often files are opened and how many are open.
 */
class ManyExtentsTest {
  private static final int EXTENTS = 655_360;
  private static final int LIMIT = 10_000;
  private static final long STORE = 7;
  private static final int LENGTH = 1_000;
  private static final int EXTENT_SIZE = 16 << 20;

  /** A disk whose extents are what their names say; nothing can be written. */
  private static final class MadeUpDisk implements Disk {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    int mostOpen;

    @Override
    public DiskFile open(String name) {
      opened.incrementAndGet();
      mostOpen = Math.max(mostOpen, open.incrementAndGet());
      return new MadeUpFile(name);
    }

    @Override
    public List<String> list() {
      return List.of();
    }

    @Override
    public boolean exists(String name) {
      return false;
    }

    @Override
    public DiskFile create(String name) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public void delete(String name) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public void rename(String from, String to) {
      throw new UnsupportedOperationException(from);
    }

    @Override
    public void syncDirectory() {}

    @Override
    public String describe(String name) {
      return name;
    }

    @Override
    public void close() {}

    private final class MadeUpFile implements DiskFile {
      private final String name;
      private final Extent extent;
      private boolean closed;

      MadeUpFile(String name) {
        this.name = name;
        int number = Integer.parseUnsignedInt(name.substring(name.lastIndexOf('-') + 1), 16);
        this.extent = new Extent(row(number));
      }

      @Override
      public String name() {
        return name;
      }

      @Override
      public int read(ByteBuffer to, long position) {
        assertTrue(!closed, "read after close");
        ByteBuffer from =
            position == 0 ? extent.header(STORE).encode() : frame(extent.number()).rewind();
        from.limit(Math.min(from.limit(), to.remaining()));
        int length = from.remaining();
        to.put(from);
        return length;
      }

      @Override
      public long size() {
        return EXTENT_SIZE;
      }

      @Override
      public void write(ByteBuffer from, long position) {
        throw new UnsupportedOperationException(name);
      }

      @Override
      public void zero(long from, long to) {
        throw new UnsupportedOperationException(name);
      }

      @Override
      public void truncate(long size) {
        throw new UnsupportedOperationException(name);
      }

      @Override
      public void sync() {}

      @Override
      public void close() {
        assertTrue(!closed, "closed twice");
        closed = true;
        open.decrementAndGet();
      }
    }
  }

  private static ExtentUsage row(int number) {
    long bytes = Location.bytes(location(number));
    return new ExtentUsage(
        number, Stream.BASE, true, false, Extent.FIRST_RECORD + bytes, bytes, bytes, 1, 5, 0, 5);
  }

  private static long location(int number) {
    return Location.of(number, Extent.FIRST_RECORD, RecordFrame.bytes(LENGTH));
  }

  private static ByteBuffer frame(int number) {
    ByteBuffer frame =
        RecordFrame.encode((byte) 1, number, LENGTH, ByteBuffer.wrap(new byte[LENGTH]));
    RecordFrame.address(frame, STORE, location(number));
    return frame;
  }

  @Test
  void tenTebibytesAreReadWithALimitedNumberOfOpenFiles() throws IOException {
    List<ExtentUsage> rows = new ArrayList<>(EXTENTS);
    for (int number = 1; number <= EXTENTS; number++) {
      rows.add(row(number));
    }
    MadeUpDisk disk = new MadeUpDisk();
    ExtentSettings settings = new ExtentSettings(STORE, EXTENT_SIZE, LIMIT, () -> 5);
    try (ExtentStore store = ExtentStore.open(disk, settings, rows)) {
      Random random = new Random(1);
      for (int i = 0; i < 40_000; i++) {
        int number = 1 + random.nextInt(EXTENTS);
        assertEquals(number, store.read(location(number)).key());
      }
      assertTrue(disk.mostOpen <= LIMIT + 1, "mostOpen=" + disk.mostOpen);

      int before = disk.opened.get();
      for (int i = 0; i < 40_000; i++) { // as many extents as may be open, most of them again
        int number = 1 + random.nextInt(LIMIT / 2);
        assertEquals(number, store.read(location(number)).key());
      }
      assertTrue(disk.opened.get() - before <= LIMIT / 2, "opened=" + (disk.opened.get() - before));
      assertEquals(EXTENTS, store.usage().size());
      assertEquals(EXTENTS * Location.bytes(location(1)), store.liveBytes());
    }
    assertEquals(0, disk.open.get());
  }

  @Test
  void theLastNumberOfAnExtentIsTheLast() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    List<ExtentUsage> rows = List.of(row(0xFFFFFFFE));
    ExtentSettings settings = new ExtentSettings(STORE, 1 << 10, LIMIT, () -> 5);
    try (ExtentStore store = ExtentStore.open(disk, settings, rows)) {
      long location = store.append(Stream.BASE, (byte) 1, 1, ByteBuffer.wrap(new byte[600]));
      assertEquals(0xFFFFFFFF, Location.extent(location));
      IOException e =
          assertThrows(
              IOException.class,
              () -> store.append(Stream.BASE, (byte) 1, 1, ByteBuffer.wrap(new byte[600])));
      assertTrue(e.getMessage().contains("no numbers of extents are left"), e.getMessage());
    }
  }
}
