package io.bg3.storage.log;

import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;

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
    NavigableMap<Long, String> names = SegmentNames.list(disk);
    for (int done = 0; done < bytes.length; ) {
      long at = position + done;
      Map.Entry<Long, String> segment = names.floorEntry(at);
      Long next = names.higherKey(at);
      int part = (int) Math.min(bytes.length - done, next == null ? bytes.length : next - at);
      byte[] piece = Arrays.copyOfRange(bytes, done, done + part);
      disk.damage(segment.getValue(), offset(segment.getKey(), at), piece);
      done += part;
    }
  }

  private static long offset(long base, long position) {
    return SegmentHeader.RESERVED + position - base;
  }
}
