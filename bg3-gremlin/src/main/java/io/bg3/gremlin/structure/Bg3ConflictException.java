package io.bg3.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * Another transaction changed what this one read or overwrote; nothing was done, and doing it again
 * may well succeed. Gremlin Server reports it as a temporary error (596).
 *
 * <p>What the engine threw is suppressed in it, not its cause: for a query in a text Gremlin Server
 * looks at the root of the causes only, and would not see that the error is temporary.
 */
public final class Bg3ConflictException extends TransactionException implements TemporaryException {
  private static final long serialVersionUID = 1L;

  Bg3ConflictException(RuntimeException cause) {
    super(cause.getMessage());
    addSuppressed(cause);
  }
}
