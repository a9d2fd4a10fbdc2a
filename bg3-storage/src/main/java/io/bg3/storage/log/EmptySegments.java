package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * The segments that the interrupted creation of a store left: the segment of position 0 at most,
 * and no byte of a record in it. No record is written before the first manifest is in place, so
 * anything else belongs to a store whose manifest is lost: a later segment comes behind records,
 * and the first one keeps the first record until a manifest lets it go.
 */
final class EmptySegments {
  private static final int WINDOW = 1 << 16;

  private EmptySegments() {}

  /**
   * Looks at the segments that stand beside no manifest and changes nothing.
   *
   * @param first the position that the new log begins with
   * @return the names of what may be deleted
   * @throws CorruptionException if there is more than an interrupted creation leaves
   */
  static List<String> find(Disk disk, long first) throws IOException {
    Map<Long, String> names = SegmentNames.list(disk);
    for (Map.Entry<Long, String> entry : names.entrySet()) {
      String file = disk.describe(entry.getValue());
      if (entry.getKey() != first) {
        throw new CorruptionException(
            file, 0, "no segment of position " + entry.getKey() + " without a manifest", "one");
      }
      try (DiskFile segment = disk.open(entry.getValue())) {
        long used = firstUsed(segment);
        if (used >= 0) {
          throw new CorruptionException(
              file, used, "no record without a manifest", "bytes of a record");
        }
      }
    }
    return List.copyOf(names.values());
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
