package io.bg3.linkbench.remote;

import io.bg3.batch.BatchAnswer;
import io.bg3.batch.BatchRequest;
import io.bg3.batch.BatchResponse;
import io.bg3.batch.BatchTexts;
import io.bg3.linkbench.model.LinkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Operations of several sessions in one request, and the connection on which it goes. One thread
 * sends it, the same or another one waits for its answer.
 */
final class SharedRequest {
  private final ServerConnection connection;
  private final List<PendingOperation> operations;
  private BatchRequest request; // null until it is sent

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
  void send(String service, BatchTexts texts) throws IOException {
    request = new BatchRequest(texts);
    operations.forEach(operation -> request.addAll(operation.request()));
    Map<String, Object> parameters = Map.of(BatchRequest.PARAMETER, request.toBuffer());
    connection.send(ServiceClient.request(service, parameters));
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
    BatchResponse response;
    try {
      response = request.response(answer);
    } catch (IllegalArgumentException e) {
      connection.hangUp();
      throw new IOException("the server's answer cannot be read: " + e.getMessage(), e);
    }
    List<PendingOperation> again = new ArrayList<>(0);
    for (int i = 0; i < operations.size(); i++) {
      if (!give(operations.get(i), response.answer(i))) {
        again.add(operations.get(i));
      }
    }
    return again;
  }

  /** Gives an operation its answer; false if it has to be sent again. */
  private static boolean give(PendingOperation operation, BatchAnswer answer) {
    switch (answer.status()) {
      case DONE -> operation.answered(answer);
      case FAILED ->
          operation.failed(new LinkStoreException("the server did not do it: " + answer.problem()));
      case DEFERRED -> {
        if (!operation.isAlone()) {
          operation.sendAlone();
          return false;
        }
        operation.failed(
            new LinkStoreException(
                "the answer is larger than the server gives at once: ask for less"));
      }
    }
    return true;
  }

  /** Ends it for all sessions without an answer. */
  void failed(LinkStoreException problem) {
    operations.forEach(operation -> operation.failed(problem));
  }
}
