package io.bg3.server.answer;

import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * A request that is not run, with the status and the message that its sender gets. Expected, so
 * without a trace.
 */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final ResponseStatusCode code;

  private Refusal(ResponseStatusCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Bytes, or a text, that are not what they claim to be. */
  public static Refusal malformed(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_MALFORMED_REQUEST, message);
  }

  /** A text that the grammar does not know, with the status that TinkerPop answers to it. */
  public static Refusal notGremlin(String message) {
    return new Refusal(ResponseStatusCode.SERVER_ERROR_EVALUATION, message);
  }

  /** Whether the text of the request is not Gremlin. */
  boolean isSyntaxError() {
    return code == ResponseStatusCode.SERVER_ERROR_EVALUATION;
  }

  /**
   * Well formed, and something that this client may not do. The status is not {@code UNAUTHORIZED},
   * which drivers and people read as a missing login.
   */
  public static Refusal forbidden(String message) {
    return new Refusal(ResponseStatusCode.FORBIDDEN, message);
  }

  /** Well formed and allowed, and more than there is room for. */
  public static Refusal tooMany(String message) {
    return new Refusal(ResponseStatusCode.TOO_MANY_REQUESTS, message);
  }

  /** Well formed and allowed, and too late. */
  public static Refusal gone(String message) {
    return new Refusal(ResponseStatusCode.SERVER_ERROR, message);
  }

  /** Well formed and allowed, but the server is about to end; nothing was done. */
  public static Refusal stopping() {
    return new Refusal(ResponseStatusCode.SERVER_ERROR_TEMPORARY, Admission.STOPPING);
  }

  /** Well formed and allowed, and not done now; the same may succeed later. */
  public static Refusal temporary(String message) {
    return new Refusal(ResponseStatusCode.SERVER_ERROR_TEMPORARY, message);
  }

  /** Well formed and allowed, but its time was over before it began. */
  public static Refusal late(String message) {
    return new Refusal(ResponseStatusCode.SERVER_ERROR_TIMEOUT, message);
  }

  /** An argument of the request that is not of its kind. */
  public static Refusal argument(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, message);
  }

  /** The status that the sender is told. */
  public ResponseStatusCode code() {
    return code;
  }
}
