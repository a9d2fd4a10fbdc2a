package io.bg3.transfer.csv;

import io.bg3.transfer.CountedInput;
import io.bg3.transfer.TransferException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A file of separated values by RFC 4180, in UTF-8 with or without a byte order mark, plain or in
 * gzip, read once from its beginning. Cells are separated by commas, tabs, semicolons or bars, as
 * the first line shows.
 *
 * <p>Use: {@link #open}, then {@link #next} until it returns false. The reader skips empty lines.
 */
final class CsvFile implements AutoCloseable {
  private static final char[] DELIMITERS = {',', '\t', ';', '|'};
  private static final int LONGEST_HEADER = 1 << 20;

  private final Path path;
  private final Utf8Input text;
  private final CsvRows rows;
  private final Header header;
  private final List<String> row = new ArrayList<>();
  private Utf8Input.BadByte badByte;

  private CsvFile(Path path, Utf8Input text, CsvRows rows) throws TransferException {
    this.path = path;
    this.text = text;
    this.rows = rows;
    if (!next()) {
      throw new TransferException("file is empty, a header is expected: file=" + path);
    }
    try {
      requireText();
      this.header = Header.parse(row);
    } catch (IllegalArgumentException e) {
      throw new TransferException(path + ":" + line() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Opens a file and reads its header.
   *
   * @param progress receives the number of bytes read since its last call
   */
  static CsvFile open(Path path, LongConsumer progress) throws TransferException {
    Utf8Input text = new Utf8Input(CountedInput.open(path, progress));
    try {
      BufferedReader buffered = new BufferedReader(text);
      CsvRows rows = new CsvRows(buffered, delimiter(buffered));
      try {
        return new CsvFile(path, text, rows);
      } catch (TransferException e) {
        rows.close();
        throw e;
      }
    } catch (TransferException e) {
      throw e;
    } catch (IOException e) {
      throw new TransferException("cannot read: file=" + path + ", reason=" + e.getMessage(), e);
    }
  }

  /**
   * Finds the separator of the first line without consuming the line. Tries the comma first, if
   * there is one, then the other separators from the most frequent to the rarest, and returns the
   * first with which the line is a valid header.
   */
  private static char delimiter(BufferedReader text) throws IOException {
    String line = firstLine(text);
    List<Character> candidates = new ArrayList<>();
    for (char delimiter : DELIMITERS) {
      if (line.indexOf(delimiter) >= 0) {
        candidates.add(delimiter);
      }
    }
    candidates.sort(
        Comparator.comparing((Character c) -> c != ',')
            .thenComparing(c -> -line.chars().filter(other -> other == c).count()));
    for (char delimiter : candidates) {
      if (isHeader(line, delimiter)) {
        return delimiter;
      }
    }
    return candidates.isEmpty() ? ',' : candidates.get(0);
  }

  private static String firstLine(BufferedReader text) throws IOException {
    StringBuilder line = new StringBuilder();
    boolean quoted = false;
    text.mark(LONGEST_HEADER);
    while (line.length() < LONGEST_HEADER - 1) {
      int c = text.read();
      if (c < 0 || (!quoted && (c == '\n' || c == '\r') && line.length() > 0)) {
        break;
      }
      quoted ^= c == '"';
      line.append((char) c);
    }
    text.reset();
    return line.toString();
  }

  private static boolean isHeader(String line, char delimiter) {
    List<String> cells = new ArrayList<>();
    try (CsvRows rows = new CsvRows(new StringReader(line), delimiter)) {
      boolean found = rows.next(cells);
      while (found && isEmpty(cells)) {
        found = rows.next(cells);
      }
      Header.parse(cells);
      return found;
    } catch (IOException | IllegalArgumentException e) {
      return false; // a quote that is not closed, or no header
    }
  }

  private static boolean isEmpty(List<String> cells) {
    return cells.size() == 1 && cells.get(0).isEmpty();
  }

  Path path() {
    return path;
  }

  Header header() {
    return header;
  }

  /** The line in which the current row begins, from 1. */
  long line() {
    return rows.firstLine();
  }

  /**
   * Moves to the next row.
   *
   * @throws TransferException if the rest of the file cannot be parsed, because a quote is not
   *     closed
   */
  boolean next() throws TransferException {
    try {
      do {
        if (!rows.next(row)) {
          return false;
        }
      } while (isEmpty(row));
    } catch (TransferException e) {
      throw new TransferException(path + ":" + e.getMessage(), e);
    } catch (IOException e) {
      throw new TransferException(
          path + ":" + line() + ": cannot be parsed further: " + e.getMessage(), e);
    }
    badByte = text.takeUpTo(rows.lastLine());
    return true;
  }

  /**
   * The cells of the current row, one for each column, until the next call of {@link #next}.
   * Missing cells at its end are empty.
   *
   * @throws IllegalArgumentException if there are more cells than columns, or the row has bytes
   *     that are not UTF-8
   */
  List<String> row() {
    requireText();
    int columns = header.columns().size();
    if (row.size() == columns) {
      return row;
    }
    if (row.stream().skip(columns).anyMatch(cell -> !cell.isEmpty())) {
      throw new IllegalArgumentException(
          "more cells than columns: columns=" + columns + ", cells=" + row.size());
    }
    List<String> filled = new ArrayList<>(row.subList(0, Math.min(columns, row.size())));
    while (filled.size() < columns) {
      filled.add("");
    }
    return filled;
  }

  private void requireText() {
    if (badByte != null) {
      throw new IllegalArgumentException(badByte + "; save the file in UTF-8");
    }
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
