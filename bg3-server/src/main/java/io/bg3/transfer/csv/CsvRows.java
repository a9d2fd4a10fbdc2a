package io.bg3.transfer.csv;

import io.bg3.transfer.TransferException;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.List;

/**
 * Splits text into rows of cells by RFC 4180. A row ends with CR, LF or both. A cell that begins
 * with a quote ends with one, and may hold separators, ends of lines and doubled quotes. A quote
 * elsewhere in a cell is a character like any other. Spaces between a closing quote and the
 * separator are ignored.
 *
 * <p>Threads: one.
 */
final class CsvRows implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final char QUOTE = '"';

  private final Reader text;
  private final char separator;
  private final StringBuilder quoted = new StringBuilder();
  private char[] buffer = new char[BUFFER];
  private int at;
  private int limit;
  private long line = 1; // of the character at this place
  private long firstLine;
  private long lastLine;

  /**
   * @param text closed with this
   */
  CsvRows(Reader text, char separator) {
    this.text = text;
    this.separator = separator;
  }

  /** The line in which the row begins that was read last, from 1. */
  long firstLine() {
    return firstLine;
  }

  /** The line in which the row ends that was read last. */
  long lastLine() {
    return lastLine;
  }

  /**
   * Reads the next row. An empty line is a row of one empty cell.
   *
   * @param cells gets the cells of the row in place of what it holds
   * @return false behind the last row
   * @throws TransferException if a quote is not closed, or text follows a closing quote; its
   *     message begins with the line. The rest of the text cannot be read then
   */
  boolean next(List<String> cells) throws IOException {
    cells.clear();
    firstLine = line;
    if (at == limit && !fill(at)) {
      return false;
    }
    boolean more = true;
    while (more) {
      boolean isQuoted = (at < limit || fill(at)) && buffer[at] == QUOTE;
      more = isQuoted ? quotedCell(cells) : plainCell(cells);
    }
    return true;
  }

  /** Reads a cell without quotes; says whether another one follows in the row. */
  private boolean plainCell(List<String> cells) throws IOException {
    int start = at;
    while (true) {
      while (at < limit) {
        char c = buffer[at];
        if (c == separator || c == '\n' || c == '\r') {
          cells.add(new String(buffer, start, at - start));
          at++;
          return c == separator || endRow(c);
        }
        at++;
      }
      boolean more = fill(start);
      start = 0;
      if (!more) {
        cells.add(new String(buffer, 0, at));
        return endText();
      }
    }
  }

  /** Reads a cell in quotes; says whether another one follows in the row. */
  private boolean quotedCell(List<String> cells) throws IOException {
    long opened = line;
    boolean afterReturn = false;
    quoted.setLength(0);
    int start = ++at;
    while (true) {
      if (at == limit) {
        if (!fill(start)) {
          throw new TransferException(
              opened + ": the quote that opens in this line is never closed");
        }
        start = 0;
      }
      char c = buffer[at++];
      if (c == QUOTE) {
        quoted.append(buffer, start, at - 1 - start);
        if ((at == limit && !fill(at)) || buffer[at] != QUOTE) {
          cells.add(quoted.toString());
          return endQuoted();
        }
        start = at++; // the second quote stands for both
      } else if (c == '\r' || (c == '\n' && !afterReturn)) {
        line++;
      }
      afterReturn = c == '\r';
    }
  }

  /** Reads what stands between a closing quote and the next cell or row. */
  private boolean endQuoted() throws IOException {
    while (at < limit || fill(at)) {
      char c = buffer[at++];
      if (c == separator) {
        return true;
      } else if (c == '\n' || c == '\r') {
        return endRow(c);
      } else if (!Character.isWhitespace(c)) {
        throw new TransferException(
            line
                + ": text follows a closing quote: row begins at line="
                + firstLine
                + "\nA quote inside of a quoted cell is written twice; or a quote since the row's"
                + " beginning is not closed.");
      }
    }
    return endText();
  }

  /** Ends a row behind the first character of its line end; always false. */
  private boolean endRow(char end) throws IOException {
    if (end == '\r' && (at < limit || fill(at)) && buffer[at] == '\n') {
      at++;
    }
    lastLine = line++;
    return false;
  }

  /** Ends the last row where no end of line does; always false. */
  private boolean endText() {
    lastLine = line;
    return false;
  }

  /**
   * Reads more characters. Those from {@code from} on are kept, and begin at index 0 then.
   *
   * @return false at the end of the text
   */
  private boolean fill(int from) throws IOException {
    int kept = limit - from;
    System.arraycopy(buffer, from, buffer, 0, kept);
    at -= from;
    limit = kept;
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int count = text.read(buffer, limit, buffer.length - limit);
    limit += Math.max(count, 0);
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
