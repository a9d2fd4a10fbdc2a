package io.bg3.storage.log;

import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.Map;

/** Damages a log where a position of its stream lies. */
final class StreamDamage {
  private StreamDamage() {}

  /** Inverts one bit, 0 to 7, of the byte at this position. */
  static void flip(CrashingDisk disk, long position, int bit) throws IOException {
    Map.Entry<Long, String> segment = SegmentNames.list(disk).floorEntry(position);
    disk.flipBit(segment.getValue(), 8 * offset(segment.getKey(), position) + bit);
  }

  /** Replaces bytes from this position on. */
  static void replace(CrashingDisk disk, long position, byte[] bytes) throws IOException {
    for (int i = 0; i < bytes.length; i++) {
      Map.Entry<Long, String> segment = SegmentNames.list(disk).floorEntry(position + i);
      disk.damage(
          segment.getValue(), offset(segment.getKey(), position + i), new byte[] {bytes[i]});
    }
  }

  private static long offset(long base, long position) {
    return SegmentHeader.RESERVED + position - base;
  }
}
