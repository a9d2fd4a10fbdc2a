package io.bg3.server.answer;

import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;

/**
 * The server began to stop before the request ran. Gremlin Server reports this exception as a
 * temporary error (596), so drivers may retry. Carries no stack trace, because it is an expected
 * outcome.
 */
public final class ServerStoppingException extends RuntimeException implements TemporaryException {
  private static final long serialVersionUID = 1L;

  ServerStoppingException(String message) {
    super(message, null, false, false);
  }
}
