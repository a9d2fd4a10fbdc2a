package io.bg3.gremlin.batch;

import io.bg3.core.graph.SortOrder;
import io.bg3.core.limit.Limit;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes operations of the bytes of a message, which may be anybody's: no number in it is believed
 * before as many bytes are there as it says, and nothing is done before all of it has been read.
 */
final class BatchDecoder {
  private static final int LEAST_TEXT = 2;
  private static final int LEAST_OPERATION = 3;
  private static final int LEAST_PROPERTY = 4;

  private final ByteBuffer bytes;
  private String[] texts = {};

  /**
   * @param bytes from their position to their limit, which stay
   */
  BatchDecoder(ByteBuffer bytes) {
    this.bytes = bytes.slice(); // from the highest byte down, whatever the other's order is
  }

  /** The texts that operations mean by their numbers; there when all operations are read. */
  String[] texts() {
    return texts;
  }

  /**
   * All operations.
   *
   * @throws IllegalArgumentException if it is no message, and why
   */
  List<BatchOperation> read() {
    try {
      int version = u8();
      if (version != Batch.VERSION) {
        throw new IllegalArgumentException(
            "version is not known: version=" + version + ", known=" + Batch.VERSION);
      }
      texts = new String[count(u16(), LEAST_TEXT)];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = name(u16());
      }
      int count = count(u16(), LEAST_OPERATION);
      Limit.BATCH_OPERATIONS.check(count);
      List<BatchOperation> operations = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        operations.add(operation(OperationCode.of(u8()), text()));
      }
      if (bytes.hasRemaining()) {
        throw new IllegalArgumentException("bytes behind the end: count=" + bytes.remaining());
      }
      return operations;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "the operations end too early: length=" + bytes.limit(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "operations cannot be read: at=" + bytes.position() + ", " + e.getMessage(), e);
    }
  }

  private BatchOperation operation(OperationCode code, String label) {
    long vertex = code == OperationCode.ADD_NODE ? 0 : bytes.getLong();
    return switch (code) {
      case ADD_LINK -> {
        long target = bytes.getLong();
        long sortKey = bytes.getLong();
        boolean visible = flag();
        BatchProperties properties = properties();
        yield write(
            code,
            label,
            vertex,
            store -> store.addLink(label, vertex, target, sortKey, visible, properties));
      }
      case DELETE_LINK -> {
        long target = bytes.getLong();
        boolean expunge = flag();
        yield write(code, label, vertex, store -> store.deleteLink(label, vertex, target, expunge));
      }
      case GET_LINKS -> {
        long[] targets = new long[count(u16(), Long.BYTES)];
        bytes.asLongBuffer().get(targets);
        bytes.position(bytes.position() + targets.length * Long.BYTES);
        yield read(
            code, label, vertex, (store, answer) -> store.links(label, vertex, targets, answer));
      }
      case LIST_LINKS -> {
        long low = bytes.getLong();
        long high = bytes.getLong();
        SortOrder order = flag() ? SortOrder.DESCENDING : SortOrder.ASCENDING;
        int offset = bytes.getInt();
        int limit = bytes.getInt();
        yield read(
            code,
            label,
            vertex,
            (store, answer) -> store.list(label, vertex, low, high, order, offset, limit, answer));
      }
      case COUNT_LINKS ->
          read(code, label, vertex, (store, answer) -> store.count(label, vertex, answer));
      case ADD_NODE -> {
        BatchProperties properties = properties();
        yield write(code, label, vertex, store -> store.addNode(label, properties));
      }
      case GET_NODE ->
          read(code, label, vertex, (store, answer) -> store.node(label, vertex, answer));
      case UPDATE_NODE -> {
        BatchProperties properties = properties();
        yield write(code, label, vertex, store -> store.updateNode(label, vertex, properties));
      }
      case DELETE_NODE -> write(code, label, vertex, store -> store.deleteNode(label, vertex));
    };
  }

  private static BatchOperation write(
      OperationCode code, String label, long vertex, BatchOperation.Write write) {
    return new BatchOperation(code, label, vertex, write, null);
  }

  private static BatchOperation read(
      OperationCode code, String label, long vertex, BatchOperation.Read read) {
    return new BatchOperation(code, label, vertex, null, read);
  }

  private BatchProperties properties() {
    int count = count(u16(), LEAST_PROPERTY);
    List<String> keys = new ArrayList<>(count);
    List<Object> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(text());
      values.add(value());
    }
    return new BatchProperties(keys, values);
  }

  private Object value() {
    int kind = u8();
    return switch (kind) {
      case BatchAnswer.LONG -> bytes.getLong();
      case BatchAnswer.INT -> bytes.getInt();
      case BatchAnswer.BYTES -> array(bytes.getInt());
      case BatchAnswer.TEXT -> string(bytes.getInt());
      case BatchAnswer.BOOLEAN -> flag();
      case BatchAnswer.DOUBLE -> bytes.getDouble();
      default -> throw new IllegalArgumentException("kind of value is not known: kind=" + kind);
    };
  }

  private String text() {
    int number = u16();
    if (number >= texts.length) {
      throw new IllegalArgumentException(
          "text is not there: number=" + number + ", count=" + texts.length);
    }
    return texts[number];
  }

  /** A label or a property key, which is no longer here than in a store. */
  private String name(int length) {
    Limit.NAME_BYTES.check(length);
    return string(length);
  }

  private String string(int length) {
    return new String(array(length), StandardCharsets.UTF_8);
  }

  private byte[] array(int length) {
    byte[] array = new byte[count(length, 1)];
    bytes.get(array);
    return array;
  }

  /** A number of things, each of at least so many bytes, that are all there. */
  private int count(int count, int least) {
    if (count < 0 || (long) count * least > bytes.remaining()) {
      throw new IllegalArgumentException(
          "declared size is larger than what is left: declared="
              + count
              + ", left="
              + bytes.remaining());
    }
    return count;
  }

  private boolean flag() {
    int flag = u8();
    if (flag > 1) {
      throw new IllegalArgumentException("neither 0 nor 1: flag=" + flag);
    }
    return flag == 1;
  }

  private int u8() {
    return bytes.get() & 0xff;
  }

  private int u16() {
    return bytes.getShort() & 0xffff;
  }
}
