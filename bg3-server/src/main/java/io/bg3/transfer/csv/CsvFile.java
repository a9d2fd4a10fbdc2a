package io.bg3.transfer.csv;

import io.bg3.transfer.CountedInput;
import io.bg3.transfer.TransferException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A file of separated values by RFC 4180, in UTF-8 with or without a byte order mark, plain or in
 * gzip, read once from its beginning. Cells are separated by commas, tabs, semicolons or bars, as
 * the first line shows.
 *
 * <p>Use: {@link #open}, then {@link #next} until it returns false. The reader skips empty lines.
 */
final class CsvFile implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(false).get();

  private static final char[] DELIMITERS = {',', '\t', ';', '|'};
  private static final int LONGEST_HEADER = 1 << 20;
  private static final Pattern UNCLOSED = Pattern.compile("startline (\\d+)\\) EOF reached before");
  private static final Pattern AFTER_QUOTE =
      Pattern.compile("Invalid character between .* at line: (\\d+)");

  private final Path path;
  private final Utf8Input text;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;
  private final Header header;
  private long line;
  private List<String> row;
  private Utf8Input.BadByte badByte;

  private CsvFile(Path path, Utf8Input text, CSVParser parser) throws TransferException {
    this.path = path;
    this.text = text;
    this.parser = parser;
    this.rows = parser.iterator();
    if (!next()) {
      throw new TransferException("file is empty, a header is expected: file=" + path);
    }
    try {
      requireText();
      this.header = Header.parse(row);
    } catch (IllegalArgumentException e) {
      throw new TransferException(path + ":" + line + ": " + e.getMessage(), e);
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
      CSVFormat format = FORMAT.builder().setDelimiter(delimiter(buffered)).get();
      CSVParser parser = CSVParser.builder().setReader(buffered).setFormat(format).get();
      try {
        return new CsvFile(path, text, parser);
      } catch (TransferException e) {
        parser.close();
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
    CSVFormat format = FORMAT.builder().setDelimiter(delimiter).setIgnoreEmptyLines(true).get();
    try (CSVParser parser = CSVParser.parse(line, format)) {
      Header.parse(parser.iterator().next().toList());
      return true;
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      return false;
    } catch (UncheckedIOException | NoSuchElementException e) {
      return false; // a quote that is not closed
    }
  }

  Path path() {
    return path;
  }

  Header header() {
    return header;
  }

  /** The line in which the current row begins, from 1. */
  long line() {
    return line;
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
        line = parser.getCurrentLineNumber() + 1;
        if (!rows.hasNext()) {
          return false;
        }
        row = rows.next().toList();
      } while (row.size() == 1 && row.get(0).isEmpty());
    } catch (UncheckedIOException | IllegalStateException e) {
      throw new TransferException(path + ":" + unreadable(e), e);
    }
    long last = Math.max(line, parser.getCurrentLineNumber());
    badByte = text.takeUpTo(last);
    return true;
  }

  /** The line and the reason of a failure of the parser. */
  private String unreadable(RuntimeException e) {
    Throwable cause = e.getCause() instanceof IOException io ? io : e;
    String reason = String.valueOf(cause.getMessage());
    Matcher unclosed = UNCLOSED.matcher(reason);
    if (unclosed.find()) {
      return unclosed.group(1) + ": the quote that opens in this line is never closed";
    }
    Matcher after = AFTER_QUOTE.matcher(reason);
    if (after.find()) {
      return after.group(1)
          + ": text follows a closing quote: row begins at line="
          + line
          + "\n"
          + "A quote inside of a quoted cell is written twice; or a quote since the row's beginning"
          + " is not closed.";
    }
    return line + ": cannot be parsed further: " + reason;
  }

  /**
   * The cells of the current row, one for each column. Missing cells at its end are empty.
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
    parser.close();
  }
}
