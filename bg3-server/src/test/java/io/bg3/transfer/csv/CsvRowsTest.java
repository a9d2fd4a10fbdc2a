package io.bg3.transfer.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.testing.Seeds;
import io.bg3.transfer.TransferException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

/**
 * Splits random text that comes in pieces of random sizes, and compares the rows with those of
 * Apache Commons CSV.
 */
class CsvRowsTest {
  private static final int ROUNDS = 5_000;
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(false).get();

  @Test
  void splitsAsCommonsCsvDoes() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String text = text(random);
      String at = Seeds.say(seed) + ", round=" + round + ": " + text.replace("\r", "\\r");
      assertEquals(expected(text), rows(text, random), at);
    }
  }

  @Test
  void knowsTheLinesOfARow() throws IOException {
    try (CsvRows rows = new CsvRows(new StringReader("a,b\r\n\n\"c\r\nd\n\",e\rf"), ',')) {
      List<String> cells = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      while (rows.next(cells)) {
        lines.add(rows.firstLine() + "-" + rows.lastLine() + " " + cells);
      }
      assertEquals(List.of("1-1 [a, b]", "2-2 []", "3-5 [c\r\nd\n, e]", "6-6 [f]"), lines);
    }
  }

  @Test
  void aCellMayBeLongerThanTheBuffer() throws IOException {
    String plain = "x".repeat(200_000);
    String quoted = "y\n".repeat(100_000);
    String text = plain + ",\"" + quoted + "\"\n1,2";
    try (CsvRows rows = new CsvRows(new StringReader(text), ',')) {
      List<String> cells = new ArrayList<>();
      rows.next(cells);
      assertEquals(List.of(plain, quoted), cells);
      rows.next(cells);
      assertEquals(List.of("1", "2"), cells);
      assertEquals(100_002, rows.firstLine());
    }
  }

  private static String text(Random random) {
    String letters = "ab ,,\"\"\r\n\n";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
      if (random.nextInt(5) == 0) {
        text.append("\"a\"\"b\",");
      }
    }
    return text.toString();
  }

  private static List<String> rows(String text, Random random) throws IOException {
    List<String> found = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    try (CsvRows rows = new CsvRows(inPieces(text, random), ',')) {
      while (rows.next(cells)) {
        found.add(cells.size() + " " + cells);
      }
    } catch (TransferException e) {
      found.add("malformed");
    }
    return found;
  }

  private static List<String> expected(String text) throws IOException {
    List<String> rows = new ArrayList<>();
    try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
      for (CSVRecord row : parser) {
        rows.add(row.size() + " " + row.toList());
      }
    } catch (UncheckedIOException | IllegalStateException e) {
      rows.add("malformed");
    }
    return rows;
  }

  private static Reader inPieces(String text, Random random) {
    StringReader whole = new StringReader(text);
    return new Reader() {
      @Override
      public int read(char[] to, int offset, int length) throws IOException {
        return whole.read(to, offset, Math.min(length, 1 + random.nextInt(4)));
      }

      @Override
      public void close() {
        whole.close();
      }
    };
  }
}
