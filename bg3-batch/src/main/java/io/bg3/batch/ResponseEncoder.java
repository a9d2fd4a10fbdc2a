package io.bg3.batch;

import java.nio.ByteBuffer;

/**
 * The bytes of a response while the server writes it, up to a limit. An answer begins with {@link
 * #begin}, has its content, and ends with {@link #end}. Where the limit is reached, a method throws
 * {@link BatchFullException}, and {@link #again} begins the answer anew.
 *
 * <p>Belongs to one thread.
 */
public final class ResponseEncoder {
  private static final int INITIAL_BYTES = 1_024;

  private final BatchWriter bytes;
  private int start; // of the answer
  private int linksAt; // where the number of its links is
  private int links;
  private int propertiesAt; // where the number of the properties of a link or a node is
  private int properties;

  /**
   * A response without answers.
   *
   * @param operations the number of answers that follow
   * @param limit the most bytes
   */
  public ResponseEncoder(int operations, int limit) {
    this.bytes = new BatchWriter(INITIAL_BYTES, limit);
    bytes.u8(BatchWriter.VERSION).u16(operations);
  }

  /** Begins the answer to the next operation. */
  public ResponseEncoder begin(AnswerStatus status) {
    start = bytes.length();
    bytes.u8(status.number()).i32(0);
    return this;
  }

  /** Drops what has been written of the answer and begins it with another status. */
  public ResponseEncoder again(AnswerStatus status) {
    bytes.truncate(start);
    return begin(status);
  }

  /** Ends the answer and returns the length of the response up to here. */
  public int end() {
    int length = bytes.length();
    bytes.i32At(start + 1, length - start - 1 - Integer.BYTES);
    return length;
  }

  /** The content of a write or a count: a state as a number, an id, or 0 and 1 for no and yes. */
  public ResponseEncoder number(long number) {
    bytes.i64(number);
    return this;
  }

  /** The content of an operation that failed. */
  public ResponseEncoder problem(String text) {
    bytes.utf8(text);
    return this;
  }

  /** Begins the links of a read. */
  public void beginLinks() {
    linksAt = bytes.length();
    links = 0;
    bytes.i32(0);
  }

  /** Begins one link; its properties follow, and {@link #endProperties}. */
  public void link(long target, long sortKey, boolean visible) {
    links++;
    bytes.i64(target).i64(sortKey).flag(visible);
    beginProperties();
  }

  /** Ends the links of a read. */
  public void endLinks() {
    bytes.i32At(linksAt, links);
  }

  /** Says whether a node exists; if it does, its properties follow, and {@link #endProperties}. */
  public void node(boolean exists) {
    bytes.flag(exists);
    if (exists) {
      beginProperties();
    }
  }

  private void beginProperties() {
    propertiesAt = bytes.length();
    properties = 0;
    bytes.u16(0);
  }

  /**
   * Adds a property.
   *
   * @param text the number of its key in the request
   * @throws IllegalArgumentException if a value of its class has no form in a batch
   */
  public void property(int text, Object value) {
    properties++;
    bytes.u16(text).value(value);
  }

  /**
   * Ends the properties of a link or a node.
   *
   * @throws IllegalArgumentException if there are more than 65,535
   */
  public void endProperties() {
    bytes.propertiesAt(propertiesAt, properties);
  }

  /** The whole response, from 0 to the capacity of the buffer: drivers send the whole array. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes.toArray());
  }
}
