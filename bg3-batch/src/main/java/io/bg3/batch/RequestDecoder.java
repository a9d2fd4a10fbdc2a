package io.bg3.batch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/**
 * Reads the bytes of a request, on the server. The bytes may be anybody's: the decoder allocates
 * nothing for a declared size before that many bytes are there.
 *
 * <p>Belongs to one thread.
 */
public final class RequestDecoder {
  private static final int LEAST_TEXT = 2; // bytes
  private static final int LEAST_OPERATION = 3;

  private final ByteBuffer message;
  private final IntConsumer textBytes;
  private final IntConsumer operations;
  private String[] texts = {};

  /**
   * @param message read from its position to its limit, both of which are kept
   * @param textBytes throws {@link IllegalArgumentException} for a text with too many bytes
   * @param operations throws {@link IllegalArgumentException} for too many operations
   */
  public RequestDecoder(ByteBuffer message, IntConsumer textBytes, IntConsumer operations) {
    this.message = message;
    this.textBytes = textBytes;
    this.operations = operations;
  }

  /** The labels and property keys of the request by their numbers; empty before {@link #read}. */
  public String[] texts() {
    return texts.clone();
  }

  /**
   * Reads the whole request.
   *
   * @param handler called for each operation in its order, before later ones are checked
   * @throws IllegalArgumentException if the bytes are no request, with the offset and the reason
   */
  public void read(BatchOperations handler) {
    BatchReader reader = new BatchReader(message);
    try {
      readTexts(reader);
      int count = reader.count(reader.u16(), LEAST_OPERATION);
      operations.accept(count);
      for (int i = 0; i < count; i++) {
        OperationCode code = OperationCode.of(reader.u8());
        readOperation(code, text(reader.u16()), reader, handler);
      }
      reader.end();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "the operations end too early: length=" + reader.length(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "operations cannot be read: at=" + reader.position() + ", " + e.getMessage(), e);
    }
  }

  private void readTexts(BatchReader reader) {
    reader.version();
    texts = new String[reader.count(reader.u16(), LEAST_TEXT)];
    for (int i = 0; i < texts.length; i++) {
      int length = reader.u16();
      textBytes.accept(length);
      texts[i] = reader.utf8(length);
    }
  }

  private void readOperation(
      OperationCode code, String label, BatchReader reader, BatchOperations handler) {
    long vertex = code == OperationCode.ADD_NODE ? 0 : reader.i64();
    switch (code) {
      case ADD_LINK ->
          handler.addLink(
              label, vertex, reader.i64(), reader.i64(), reader.flag(), properties(reader));
      case DELETE_LINK -> handler.deleteLink(label, vertex, reader.i64(), reader.flag());
      case GET_LINKS -> handler.getLinks(label, vertex, reader.longs(reader.u16()));
      case LIST_LINKS ->
          handler.listLinks(
              label, vertex, reader.i64(), reader.i64(), reader.flag(), reader.i32(), reader.i32());
      case COUNT_LINKS -> handler.countLinks(label, vertex);
      case ADD_NODE -> handler.addNode(label, properties(reader));
      case GET_NODE -> handler.getNode(label, vertex);
      case UPDATE_NODE -> handler.updateNode(label, vertex, properties(reader));
      case DELETE_NODE -> handler.deleteNode(label, vertex);
    }
  }

  private BatchProperties properties(BatchReader reader) {
    return reader.properties(this::text);
  }

  private String text(int number) {
    if (number >= texts.length) {
      throw new IllegalArgumentException(
          "text is not there: number=" + number + ", count=" + texts.length);
    }
    return texts[number];
  }
}
