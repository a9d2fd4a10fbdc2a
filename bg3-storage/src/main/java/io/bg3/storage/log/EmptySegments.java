package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Removes what the interrupted creation of a store left: segments without any byte of a record. No
 * record is written before the first manifest is in place, so a segment with one belongs to a store
 * whose manifest is lost.
 */
final class EmptySegments {
  private static final int WINDOW = 1 << 16;

  private EmptySegments() {}

  /**
   * Deletes all segments.
   *
   * @throws CorruptionException if one of them has a byte of a record; then none is deleted
   */
  static void delete(Disk disk) throws IOException {
    Map<Long, String> names = SegmentNames.list(disk);
    for (String name : names.values()) {
      try (DiskFile file = disk.open(name)) {
        long used = firstUsed(file);
        if (used >= 0) {
          throw new CorruptionException(
              disk.describe(name), used, "no record without a manifest", "bytes of a record");
        }
      }
    }
    for (String name : names.values()) {
      disk.delete(name);
    }
  }

  private static long firstUsed(DiskFile file) throws IOException {
    ByteBuffer window = ByteBuffer.allocate(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
    long at = SegmentHeader.RESERVED;
    while (file.read(window.clear(), at) > 0) {
      window.flip();
      for (int i = 0; i < window.limit(); i++) {
        if (window.get(i) != 0) {
          return at + i;
        }
      }
      at += window.limit();
    }
    return -1;
  }
}
