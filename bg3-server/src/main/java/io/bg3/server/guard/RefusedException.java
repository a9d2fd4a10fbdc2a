package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/** A refusal of the guard, in the form in which TinkerPop expects it. */
public final class RefusedException extends AuthorizationException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.getMessage());
    this.refusal = refusal;
  }

  /** Whether it was understood and is not allowed; otherwise it is not what it claims to be. */
  public boolean isForbidden() {
    return refusal.code() == ResponseStatusCode.FORBIDDEN;
  }

  Refusal refusal() {
    return refusal;
  }
}
