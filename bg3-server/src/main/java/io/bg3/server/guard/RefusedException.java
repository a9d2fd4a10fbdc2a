package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;

/** A refusal of the guard, in the form in which TinkerPop expects it. */
public final class RefusedException extends AuthorizationException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.getMessage());
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
