package io.bg3.bench.olap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The values that a program has computed, by the number of the vertex. The first process of a run
 * leaves its answer in a file; those behind it give the same answer if theirs is equal. Sums of
 * numbers depend on their order, so numbers are equal if they differ by less than a billionth.
 */
final class OlapAnswer {
  private static final double DIFFERENCE = 1e-9;

  private final Object[] values; // of vertex 1 at 0

  OlapAnswer(int vertices) {
    values = new Object[vertices];
  }

  void put(long id, Object value) {
    values[(int) (id - 1)] = value;
  }

  /** The checksum of the answer in the file if this one is equal, else of this one. */
  String checked(Path file) throws IOException {
    List<String> own = Arrays.stream(values).map(String::valueOf).toList();
    if (!Files.exists(file)) {
      Files.write(file, own);
      return checksum(own);
    }
    List<String> first = Files.readAllLines(file);
    return isEqual(first) ? checksum(first) : checksum(own);
  }

  private boolean isEqual(List<String> first) {
    if (first.size() != values.length) {
      return false;
    }
    for (int i = 0; i < values.length; i++) {
      boolean isSame =
          values[i] instanceof Double number
              ? isClose(number, Double.parseDouble(first.get(i)))
              : String.valueOf(values[i]).equals(first.get(i));
      if (!isSame) {
        return false;
      }
    }
    return true;
  }

  private static boolean isClose(double one, double other) {
    return Math.abs(one - other) <= DIFFERENCE * Math.max(Math.abs(one), Math.abs(other));
  }

  private static String checksum(List<String> lines) {
    CRC32C checksum = new CRC32C();
    for (String line : lines) {
      checksum.update(line.getBytes(StandardCharsets.UTF_8));
      checksum.update('\n');
    }
    return Long.toHexString(checksum.getValue());
  }
}
