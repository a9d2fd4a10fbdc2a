package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the files of segments: {@code log-} and the segment's base in sixteen hexadecimal
 * digits.
 */
final class SegmentNames {
  private static final Pattern NAME = Pattern.compile("log-([0-9a-f]{16})");

  private SegmentNames() {}

  static String name(long base) {
    return String.format("log-%016x", base);
  }

  /** The names of all segment files by their base. */
  static NavigableMap<Long, String> list(Disk disk) throws IOException {
    NavigableMap<Long, String> names = new TreeMap<>();
    for (String name : disk.list()) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        long base = Long.parseUnsignedLong(matcher.group(1), 16);
        if (base >= 0) {
          names.put(base, name);
        }
      }
    }
    return names;
  }
}
