package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.NodeRow;
import java.nio.ByteBuffer;

/**
 * The bytes of one operation, in the binary form of the service {@code bg3.batch} that
 * docs/provider.md describes. Belongs to one thread.
 */
final class BatchEncoder {
  static final int ADD_LINK = 1;
  static final int DELETE_LINK = 2;
  static final int GET_LINKS = 3;
  static final int LIST_LINKS = 4;
  static final int COUNT_LINKS = 5;
  static final int ADD_NODE = 6;
  static final int GET_NODE = 7;
  static final int UPDATE_NODE = 8;
  static final int DELETE_NODE = 9;

  /** Kinds of values. */
  static final int LONG = 1;

  static final int INT = 2;
  static final int BYTES = 3;

  private static final int FIXED = 128; // more than anything takes besides payload and targets

  private final ByteBuffer bytes;

  private BatchEncoder(int code, int label, int more) {
    bytes = ByteBuffer.allocate(FIXED + more);
    bytes.put((byte) code).putShort((short) label);
  }

  static BatchEncoder of(int code, int label) {
    return new BatchEncoder(code, label, 0);
  }

  static BatchEncoder of(int code, int label, int more) {
    return new BatchEncoder(code, label, more);
  }

  BatchEncoder number(long number) {
    bytes.putLong(number);
    return this;
  }

  BatchEncoder small(int number) {
    bytes.putInt(number);
    return this;
  }

  BatchEncoder flag(boolean flag) {
    bytes.put((byte) (flag ? 1 : 0));
    return this;
  }

  BatchEncoder numbers(long... numbers) {
    bytes.putShort((short) numbers.length);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return this;
  }

  /** The properties of a link. */
  BatchEncoder properties(LinkRow link) {
    bytes.putShort((short) 2);
    key(TextTable.VERSION, INT).putInt(link.version());
    key(TextTable.DATA, BYTES).putInt(link.data().length).put(link.data());
    return this;
  }

  /** The properties of a node. */
  BatchEncoder properties(NodeRow node) {
    bytes.putShort((short) 3);
    key(TextTable.VERSION, LONG).putLong(node.version());
    key(TextTable.TIME, INT).putInt(node.time());
    key(TextTable.DATA, BYTES).putInt(node.data().length).put(node.data());
    return this;
  }

  /** Whether the operation may change something. */
  boolean isWrite() {
    return switch (bytes.get(0)) {
      case GET_LINKS, LIST_LINKS, COUNT_LINKS, GET_NODE -> false;
      default -> true;
    };
  }

  byte[] toBytes() {
    byte[] encoded = new byte[bytes.position()];
    bytes.get(0, encoded);
    return encoded;
  }

  private ByteBuffer key(int number, int kind) {
    return bytes.putShort((short) number).put((byte) kind);
  }
}
