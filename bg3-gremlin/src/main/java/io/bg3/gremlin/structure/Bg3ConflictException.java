package io.bg3.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * Another transaction changed what this one read or overwrote; nothing was done, and doing it again
 * may well succeed. Gremlin Server reports it as a temporary error (596).
 */
public final class Bg3ConflictException extends TransactionException implements TemporaryException {
  private static final long serialVersionUID = 1L;

  Bg3ConflictException(RuntimeException cause) {
    super(cause.getMessage(), cause);
  }
}
