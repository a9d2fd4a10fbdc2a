package io.bg3.transfer.csv;

import io.bg3.transfer.CountedInput;
import io.bg3.transfer.TransferException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A file of comma-separated values by RFC 4180, in UTF-8 with or without a byte order mark, read
 * once from its beginning.
 *
 * <p>Use: {@link #open}, then {@link #next} until it is false. Empty lines are left out.
 */
final class CsvFile implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();

  private final Path path;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;
  private final Header header;
  private long line;
  private List<String> row;

  private CsvFile(Path path, CSVParser parser) throws TransferException {
    this.path = path;
    this.parser = parser;
    this.rows = parser.iterator();
    if (!next()) {
      throw new TransferException("file is empty, a header is expected: file=" + path);
    }
    try {
      this.header = Header.parse(row);
    } catch (IllegalArgumentException e) {
      throw new TransferException(path + ":" + line + ": " + e.getMessage(), e);
    }
  }

  /**
   * Opens a file and reads its header.
   *
   * @param progress told how many bytes were read since it was told last
   */
  static CsvFile open(Path path, LongConsumer progress) throws TransferException {
    InputStream bytes = CountedInput.open(path, progress);
    try {
      BufferedReader text =
          new BufferedReader(
              new InputStreamReader(
                  bytes,
                  StandardCharsets.UTF_8
                      .newDecoder()
                      .onMalformedInput(CodingErrorAction.REPORT)
                      .onUnmappableCharacter(CodingErrorAction.REPORT)));
      skipMark(text);
      CSVParser parser = CSVParser.builder().setReader(text).setFormat(FORMAT).get();
      try {
        return new CsvFile(path, parser);
      } catch (TransferException e) {
        parser.close();
        throw e;
      }
    } catch (TransferException e) {
      throw e;
    } catch (IOException e) {
      throw new TransferException("cannot read: file=" + path + ", reason=" + reason(e), e);
    }
  }

  private static void skipMark(BufferedReader text) throws IOException {
    text.mark(1);
    if (text.read() != '\uFEFF') {
      text.reset();
    }
  }

  Path path() {
    return path;
  }

  Header header() {
    return header;
  }

  /** The line where the current row begins, from 1. */
  long line() {
    return line;
  }

  /**
   * Goes to the next row.
   *
   * @throws TransferException if the file cannot be read on from here: a quote that is not closed,
   *     bytes that are not UTF-8
   */
  boolean next() throws TransferException {
    line = parser.getCurrentLineNumber() + 1;
    try {
      if (!rows.hasNext()) {
        return false;
      }
      row = rows.next().toList();
      return true;
    } catch (UncheckedIOException | IllegalStateException e) {
      throw new TransferException(path + ":" + line + ": cannot be read on: " + reason(e), e);
    }
  }

  /**
   * The cells of the current row, one for each column.
   *
   * @throws IllegalArgumentException if there are more or fewer
   */
  List<String> row() {
    if (row.size() != header.columns().size()) {
      throw new IllegalArgumentException(
          "wrong number of columns: expected=" + header.columns().size() + ", found=" + row.size());
    }
    return row;
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  private static String reason(Exception e) {
    Throwable cause = e.getCause() instanceof IOException io ? io : e;
    return cause instanceof CharacterCodingException ? "not UTF-8" : cause.getMessage();
  }
}
