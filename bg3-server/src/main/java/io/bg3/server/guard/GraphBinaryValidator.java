package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;

/**
 * Validates a request in GraphBinary before TinkerPop's reader decodes it. TinkerPop's reader
 * allocates every size that the message declares, recurses for every level of nesting, and loads
 * any class that the message names. The validator walks the bytes in the reader's order and creates
 * no values: it compares each declared size with the bytes that are left, limits the nesting, and
 * accepts only classes of the {@link AllowList}.
 *
 * <p>During the walk it estimates the heap that the decoded message takes: see {@link DecodedSize}.
 *
 * <p>The walk takes time linear in the message. Threads: one; a validator checks one message.
 */
public final class GraphBinaryValidator {
  private static final int UUID_BYTES = 16;
  private static final int TIME_BYTES = 8;
  private static final int DATE_BYTES = 6;

  /** The smallest encoded value: its type code and its null flag. */
  private static final int LEAST = 2;

  private final ByteBuf bytes;
  private final int limit;
  private final DecodedSize.Counter decoded = new DecodedSize.Counter();

  /**
   * Creates the validator of one message.
   *
   * @param bytes the message, positioned at the version byte behind the MIME type; the walk moves
   *     the position
   * @param limit the deepest nesting
   */
  public GraphBinaryValidator(ByteBuf bytes, int limit) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /**
   * Checks the whole message.
   *
   * @return the estimated size of the decoded message
   * @throws Refusal if the message is malformed, or contains a type or class that clients may not
   *     send
   */
  public DecodedSize validate() throws Refusal {
    if ((oneByte() & 0x80) == 0) {
      throw Refusal.malformed("not GraphBinary: the version's highest bit is not set");
    }
    skip(UUID_BYTES);
    string(); // op
    string(); // processor
    map(1);
    if (bytes.isReadable()) {
      throw Refusal.malformed("message has bytes after its end: count=" + bytes.readableBytes());
    }
    return decoded.size();
  }

  /** Checks a value that its type code precedes. */
  private void typed(int depth) throws Refusal {
    int code = oneByte() & 0xff;
    DataType type = DataType.get(code);
    if (type == null) {
      throw Refusal.malformed("type is not known: code=" + code);
    }
    // A custom type has a name of any length between the code and the flag, even for null.
    if (type
        == DataType.CUSTOM) { // its name comes before the flag, of any length, also if it is null
      throw Refusal.forbidden("clients cannot send this type: type=" + type);
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
        decoded.list(); // the value and its array
        sized();
      }
      case BIGDECIMAL -> {
        decoded.hashed(); // the number, its unscaled value and the array
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
        decoded.hashed(); // the lists of source steps and steps
        instructions(depth);
        instructions(depth);
      }
      case LAMBDA -> { // the authorizer refuses it, with a reason
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
        for (int i = 0; i < 3; i++) { // the edge, its in vertex, its out vertex
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
      default -> throw Refusal.forbidden("clients cannot send this type: type=" + type);
    }
  }

  /** Checks a predicate. A regular expression is checked here, because the reader compiles it. */
  private void predicate(int depth) throws Refusal {
    String name = text();
    boolean regex = name.equals("regex") || name.equals("notRegex");
    int count = count(LEAST);
    if (regex && count == 1 && isText()) {
      ByteBuf ahead = bytes.duplicate();
      ahead.skipBytes(LEAST);
      int length = ahead.readInt();
      if (length >= 0 && length <= ahead.readableBytes()) { // typedValues() refuses a wrong length
        RegexCost.require(ahead.toString(ahead.readerIndex(), length, StandardCharsets.UTF_8));
      }
    }
    typedValues(count, depth);
  }

  /** Whether the next value is a non-null string whose length field is readable. */
  private boolean isText() {
    int at = bytes.readerIndex();
    return bytes.readableBytes() >= LEAST + Integer.BYTES
        && (bytes.getByte(at) & 0xff) == DataType.STRING.getCode()
        && (bytes.getByte(at + 1) & 1) == 0;
  }

  /** Reads a string without a type code. */
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

  /** Checks an enumeration constant: a string that its type code precedes. */
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

  /**
   * Reads a count of items of at least {@code least} bytes each, and requires that the bytes are
   * there.
   */
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
