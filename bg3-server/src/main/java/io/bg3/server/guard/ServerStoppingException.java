package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;

/**
 * The server was told to stop before the request began to run. Gremlin Server reports it as a
 * temporary error (596). Expected, so without a trace.
 */
public final class ServerStoppingException extends RuntimeException implements TemporaryException {
  private static final long serialVersionUID = 1L;

  ServerStoppingException(String message) {
    super(message, null, false, false);
  }
}
