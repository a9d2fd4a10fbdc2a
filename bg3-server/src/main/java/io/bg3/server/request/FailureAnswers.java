package io.bg3.server.request;

import java.util.Optional;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.tinkerpop.gremlin.process.traversal.Failure;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * The answers to requests whose query has failed, with the codes of TinkerPop's processors.
 *
 * <p>Threads: any; without state.
 */
final class FailureAnswers {
  private FailureAnswers() {}

  /**
   * The answer to a request. If a cause of the failure permits a retry, or comes from a {@code
   * fail()} step, the answer has the code for that and the message of that cause.
   *
   * @param otherwise the code of any other failure
   * @param message of any other failure
   */
  static ResponseMessage of(
      RequestMessage request, Throwable failure, ResponseStatusCode otherwise, String message) {
    Throwable special = special(failure).orElse(null);
    if (special == null) {
      return ResponseMessage.build(request)
          .code(otherwise)
          .statusMessage(message)
          .statusAttributeException(failure)
          .create();
    }
    ResponseMessage.Builder answer =
        ResponseMessage.build(request)
            .code(ResponseStatusCode.SERVER_ERROR_TEMPORARY)
            .statusMessage(special.getMessage())
            .statusAttributeException(special);
    if (special instanceof Failure failed) {
      answer
          .code(ResponseStatusCode.SERVER_ERROR_FAIL_STEP)
          .statusAttribute(Tokens.STATUS_ATTRIBUTE_FAIL_STEP_MESSAGE, failed.format());
    }
    return answer.create();
  }

  /** The first cause of a failure that permits a retry, or comes from a {@code fail()} step. */
  static Optional<Throwable> special(Throwable failure) {
    return ExceptionUtils.getThrowableList(failure).stream()
        .filter(cause -> cause instanceof TemporaryException || cause instanceof Failure)
        .findFirst();
  }

  /** The answer to a request whose graph was dropped after it was authorized. */
  static ResponseMessage dropped(RequestMessage request) {
    return ResponseMessage.build(request)
        .code(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS)
        .statusMessage("the graph was dropped: graph=" + GraphName.of(request))
        .create();
  }

  /** The answer to a request that the server's threads do not take any more. */
  static ResponseMessage rejected(RequestMessage request) {
    return ResponseMessage.build(request)
        .code(ResponseStatusCode.TOO_MANY_REQUESTS)
        .statusMessage("Rate limiting")
        .create();
  }
}
