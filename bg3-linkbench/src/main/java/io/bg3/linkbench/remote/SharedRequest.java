package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Operations of several sessions in one request, and the connection on which it goes. One thread
 * sends it, the same or another one waits for its answer.
 */
final class SharedRequest {
  private static final int VERSION = 1;
  private static final int DONE = 0;
  private static final int PUT_OFF = 2;

  private final ServerConnection connection;
  private final List<PendingOperation> operations;

  SharedRequest(ServerConnection connection, List<PendingOperation> operations) {
    this.connection = connection;
    this.operations = operations;
  }

  ServerConnection connection() {
    return connection;
  }

  List<PendingOperation> operations() {
    return operations;
  }

  /**
   * Sends it.
   *
   * @param service what does the operations
   * @throws IOException if it could not be sent
   */
  void send(String service, TextTable texts) throws IOException {
    connection.send(ServiceClient.request(service, Map.of("operations", message(texts))));
  }

  private ByteBuffer message(TextTable texts) {
    byte[] names = texts.encoded();
    int length = 1 + names.length + Short.BYTES;
    for (PendingOperation operation : operations) {
      length += operation.encoded().length;
    }
    ByteBuffer message = ByteBuffer.allocate(length);
    message.put((byte) VERSION).put(names).putShort((short) operations.size());
    for (PendingOperation operation : operations) {
      message.put(operation.encoded());
    }
    return message.flip();
  }

  /**
   * Waits for the answer and hands it out.
   *
   * @return what has to be asked again
   * @throws LinkStoreException if the server refuses
   * @throws IOException if there is no answer
   */
  List<PendingOperation> receive() throws IOException {
    List<Object> answers = connection.receive();
    if (answers.size() != 1 || !(answers.get(0) instanceof ByteBuffer answer)) {
      connection.hangUp();
      throw new IOException("the server's answer is no batch: results=" + answers.size());
    }
    int version = answer.get();
    int count = answer.getShort();
    if (version != VERSION || count != operations.size()) {
      connection.hangUp();
      throw new IOException(
          "the server's answer is not to what was asked: version="
              + version
              + ", answers="
              + count
              + ", operations="
              + operations.size());
    }
    List<PendingOperation> again = new ArrayList<>(0);
    for (PendingOperation operation : operations) {
      int status = answer.get();
      ByteBuffer content = answer.slice(answer.position() + Integer.BYTES, answer.getInt());
      answer.position(answer.position() + content.remaining());
      if (status == DONE) {
        operation.answered(content);
      } else if (status == PUT_OFF && !operation.isAlone()) {
        operation.sendAlone();
        again.add(operation);
      } else {
        operation.failed(
            new LinkStoreException(
                status == PUT_OFF
                    ? "the answer is larger than the server gives at once: ask for less"
                    : "the server did not do it: " + StandardCharsets.UTF_8.decode(content)));
      }
    }
    return again;
  }

  /** Ends it for all who have no answer. */
  void failed(LinkStoreException problem) {
    operations.forEach(operation -> operation.failed(problem));
  }
}
