package io.bg3.server.guard;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;

/**
 * Walks a request in GraphBinary as its reader will, and makes nothing of it: every size it
 * declares is compared with the bytes that are there, every nesting is counted, every class it
 * names has to be one that a query can use. The reader would allocate what is declared, descend
 * into the stack for each level, and load any class.
 *
 * <p>While it walks, it adds up what the reader will make of the message: see {@link DecodedSize}.
 *
 * <p>Takes time linear in the message. One judge for one message.
 */
final class GraphBinaryJudge {
  private static final int UUID_BYTES = 16;
  private static final int TIME_BYTES = 8;
  private static final int DATE_BYTES = 6;

  /** The least that a value with its type takes: type and flag. */
  private static final int LEAST = 2;

  private final ByteBuf bytes;
  private final int limit;
  private final DecodedSize.Counter decoded = new DecodedSize.Counter();

  /**
   * @param bytes positioned at the version, behind the name of the format; its position moves
   * @param limit of nesting
   */
  GraphBinaryJudge(ByteBuf bytes, int limit) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /**
   * Passes a message that may be read.
   *
   * @return what the reader will make of it
   */
  DecodedSize judge() throws Refusal {
    if ((oneByte() & 0x80) == 0) {
      throw Refusal.malformed("not GraphBinary: the version's highest bit is not set");
    }
    skip(UUID_BYTES);
    string(); // op
    string(); // processor
    map(1);
    if (bytes.isReadable()) {
      throw Refusal.malformed("bytes behind the end: count=" + bytes.readableBytes());
    }
    return decoded.size();
  }

  /** A value with its type before it. */
  private void typed(int depth) throws Refusal {
    int code = oneByte() & 0xff;
    DataType type = DataType.get(code);
    if (type == null) {
      throw Refusal.malformed("type is not known: code=" + code);
    }
    if (type
        == DataType.CUSTOM) { // its name comes before the flag, of any length, also if it is null
      throw Refusal.forbidden("type is not taken from a client: type=" + type);
    }
    int flag = oneByte();
    decoded.value();
    if (type != DataType.UNSPECIFIED_NULL && (flag & 1) == 0) {
      value(type, depth);
    }
  }

  private void value(DataType type, int depth) throws Refusal {
    if (depth > limit) {
      throw Refusal.forbidden("message is nested too deeply: limit=" + limit);
    }
    switch (type) {
      case BYTE, BOOLEAN -> skip(1);
      case SHORT -> skip(Short.BYTES);
      case INT, FLOAT, YEAR, ZONEOFFSET -> skip(Integer.BYTES);
      case LONG, DOUBLE, DATE, TIMESTAMP, LOCALTIME -> skip(Long.BYTES);
      case UUID -> skip(UUID_BYTES);
      case MONTHDAY -> skip(2);
      case YEARMONTH -> skip(5);
      case LOCALDATE -> skip(DATE_BYTES);
      case LOCALDATETIME -> skip(DATE_BYTES + TIME_BYTES);
      case OFFSETDATETIME, ZONEDATETIME -> skip(DATE_BYTES + TIME_BYTES + Integer.BYTES);
      case OFFSETTIME -> skip(TIME_BYTES + Integer.BYTES);
      case DURATION, INSTANT -> skip(Long.BYTES + Integer.BYTES);
      case PERIOD -> skip(3 * Integer.BYTES);
      case CHAR -> character();
      case STRING -> string();
      case BYTEBUFFER, BIGINTEGER -> {
        decoded.list(); // an object and its array
        sized();
      }
      case BIGDECIMAL -> {
        decoded.hashed(); // three objects
        skip(Integer.BYTES);
        sized();
      }
      case CLASS -> throw Refusal.forbidden("classes are not available on the server");
      default -> composed(type, depth);
    }
  }

  private void composed(DataType type, int depth) throws Refusal {
    switch (type) {
      case LIST -> {
        decoded.list();
        typedValues(count(LEAST), depth);
      }
      case SET -> {
        decoded.hashed();
        int count = count(LEAST);
        decoded.entries(count);
        typedValues(count, depth);
      }
      case MAP -> map(depth);
      case BARRIER, CARDINALITY, COLUMN, DIRECTION, DT, GTYPE, MERGE, OPERATOR, ORDER, PICK, POP ->
          name();
      case SCOPE, T -> name();
      case P, TEXTP -> {
        decoded.list();
        predicate(depth);
      }
      case BINDING -> {
        string();
        typed(depth + 1);
      }
      case BYTECODE -> {
        decoded.hashed(); // two lists
        instructions(depth);
        instructions(depth);
      }
      case LAMBDA -> { // refused by the guard, which says why
        string();
        string();
        skip(Integer.BYTES);
      }
      case TRAVERSALSTRATEGY -> {
        className();
        map(depth);
      }
      default -> element(type, depth);
    }
  }

  private void element(DataType type, int depth) throws Refusal {
    switch (type) {
      case VERTEX -> {
        typed(depth + 1);
        string();
        typed(depth + 1);
      }
      case EDGE -> {
        for (int i = 0; i < 3; i++) { // itself, in, out
          typed(depth + 1);
          string();
        }
        typedValues(2, depth);
      }
      case VERTEXPROPERTY -> {
        typed(depth + 1);
        string();
        typedValues(3, depth);
      }
      case PROPERTY -> {
        string();
        typedValues(2, depth);
      }
      default -> throw Refusal.forbidden("type is not taken from a client: type=" + type);
    }
  }

  /** A predicate; reading one with a regular expression compiles it. */
  private void predicate(int depth) throws Refusal {
    boolean regex = text().matches("regex|notRegex");
    int count = count(LEAST);
    if (regex && count == 1 && isText()) {
      ByteBuf ahead = bytes.duplicate();
      ahead.skipBytes(LEAST);
      int length = ahead.readInt();
      if (length >= 0 && length <= ahead.readableBytes()) { // otherwise it is refused below
        RegexCost.require(ahead.toString(ahead.readerIndex(), length, StandardCharsets.UTF_8));
      }
    }
    typedValues(count, depth);
  }

  /** Whether a text comes next that is not null, and the length of it. */
  private boolean isText() {
    int at = bytes.readerIndex();
    return bytes.readableBytes() >= LEAST + Integer.BYTES
        && (bytes.getByte(at) & 0xff) == DataType.STRING.getCode()
        && (bytes.getByte(at + 1) & 1) == 0;
  }

  /** A string without its type. */
  private String text() throws Refusal {
    int at = bytes.readerIndex();
    string();
    int length = bytes.readerIndex() - at - Integer.BYTES;
    return bytes.toString(at + Integer.BYTES, length, StandardCharsets.UTF_8);
  }

  private void map(int depth) throws Refusal {
    decoded.hashed();
    int count = count(2 * LEAST);
    decoded.entries(count);
    typedValues(2 * count, depth);
  }

  private void typedValues(int count, int depth) throws Refusal {
    for (int i = 0; i < count; i++) {
      typed(depth + 1);
    }
  }

  private void instructions(int depth) throws Refusal {
    int count = count(2 * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      decoded.list(); // an instruction and its arguments
      string();
      typedValues(count(LEAST), depth);
    }
  }

  /** A constant of an enumeration: a string with its type before it. */
  private void name() throws Refusal {
    int code = oneByte() & 0xff;
    if (code != DataType.STRING.getCode() || oneByte() != 0) {
      throw Refusal.malformed("a constant is not named by a string: code=" + code);
    }
    string();
  }

  private void className() throws Refusal {
    int length = count(1);
    String name = bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8);
    skip(length);
    if (!AllowList.isClassAllowed(name)) {
      throw Refusal.forbidden("class is not available on the server: " + AllowList.shown(name));
    }
  }

  private void character() throws Refusal {
    int first = oneByte() & 0xff;
    if (first >= 0xf0) {
      skip(3);
    } else if (first >= 0xe0) {
      skip(2);
    } else if (first >= 0xc0) {
      skip(1);
    }
  }

  private void string() throws Refusal {
    sized();
  }

  private void sized() throws Refusal {
    int length = count(1);
    decoded.bytes(length);
    skip(length);
  }

  /** A number of things, each of at least so many bytes, that are all there. */
  private int count(int least) throws Refusal {
    require(Integer.BYTES);
    int count = bytes.readInt();
    if (count < 0 || (long) count * least > bytes.readableBytes()) {
      throw Refusal.malformed(
          "declared size is larger than the message: declared="
              + count
              + ", left="
              + bytes.readableBytes());
    }
    return count;
  }

  private byte oneByte() throws Refusal {
    require(1);
    return bytes.readByte();
  }

  private void skip(int length) throws Refusal {
    require(length);
    bytes.skipBytes(length);
  }

  private void require(int length) throws Refusal {
    if (bytes.readableBytes() < length) {
      throw Refusal.malformed(
          "message ends too early: wanted=" + length + ", left=" + bytes.readableBytes());
    }
  }
}
