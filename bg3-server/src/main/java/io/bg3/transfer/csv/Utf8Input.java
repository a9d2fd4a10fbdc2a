package io.bg3.transfer.csv;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decodes UTF-8 text, without its byte order mark, and continues after malformed bytes. The text
 * has a replacement character in the place of each malformed byte. The reader records the line and
 * the column of the first malformed byte of a line only, so a file that is not text needs little
 * memory.
 *
 * <p>Threads: one.
 */
final class Utf8Input extends Reader {
  /**
   * A malformed byte.
   *
   * @param line from 1; a line ends with CR, LF or both
   * @param column in characters, from 1
   * @param value 0 to 255
   */
  record BadByte(long line, long column, int value) {
    @Override
    public String toString() {
      return "not UTF-8: line=%d, column=%d, byte=0x%02X".formatted(line, column, value);
    }
  }

  private static final int BUFFER = 1 << 16;
  private static final char REPLACEMENT = '\uFFFD';
  private static final char MARK = '\uFEFF';

  private final InputStream in;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
  private final CharBuffer held = CharBuffer.allocate(2).flip();
  private final Deque<BadByte> bad = new ArrayDeque<>();
  private boolean begun;
  private boolean ended;
  private long line = 1;
  private long column = 1;
  private boolean afterReturn;

  Utf8Input(InputStream in) {
    this.in = in;
  }

  /**
   * Returns the first recorded byte up to a line, if there is one, and discards the others up to
   * that line.
   */
  BadByte takeUpTo(long lastLine) {
    BadByte first = null;
    while (!bad.isEmpty() && bad.peek().line() <= lastLine) {
      BadByte next = bad.remove();
      first = first == null ? next : first;
    }
    return first;
  }

  @Override
  public int read(char[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    } else if (!held.hasRemaining() && length == 1) { // a character may be a pair, which needs two
      held.clear();
      int count = readDecoded(held);
      held.flip();
      if (count < 0) {
        return -1;
      }
    }
    if (held.hasRemaining()) {
      to[offset] = held.get();
      return 1;
    }
    return readDecoded(CharBuffer.wrap(to, offset, length).slice());
  }

  private int readDecoded(CharBuffer text) throws IOException {
    while (text.position() == 0) {
      if (!decode(text)) {
        return -1;
      }
    }
    return text.position();
  }

  /** Decodes more bytes; returns false at the end of the input. */
  private boolean decode(CharBuffer text) throws IOException {
    int from = text.position();
    CoderResult result = decoder.decode(bytes, text, ended);
    dropMark(text, from);
    count(text, from);
    if (result.isError() && text.hasRemaining()) {
      if (bad.isEmpty() || bad.peekLast().line() != line) {
        bad.add(new BadByte(line, column, bytes.get(bytes.position()) & 0xFF));
      }
      bytes.position(bytes.position() + result.length());
      text.put(REPLACEMENT);
      begun = true;
      afterReturn = false;
      column++;
    } else if (result.isUnderflow()) {
      if (ended) {
        return text.position() > from;
      }
      fill();
    }
    return true;
  }

  private void dropMark(CharBuffer text, int from) {
    if (!begun && text.position() > from) {
      begun = true;
      if (text.get(from) == MARK) {
        int end = text.position();
        text.position(from);
        for (int i = from + 1; i < end; i++) {
          text.put(text.get(i));
        }
      }
    }
  }

  private void fill() throws IOException {
    bytes.compact();
    int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
    if (count < 0) {
      ended = true;
    } else {
      bytes.position(bytes.position() + count);
    }
    bytes.flip();
  }

  private void count(CharBuffer text, int from) {
    for (int i = from; i < text.position(); i++) {
      char c = text.get(i);
      if (c == '\n' && afterReturn) {
        afterReturn = false; // LF after CR belongs to the line end of the CR
      } else if (c == '\n' || c == '\r') {
        line++;
        column = 1;
        afterReturn = c == '\r';
      } else {
        column++;
        afterReturn = false;
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
