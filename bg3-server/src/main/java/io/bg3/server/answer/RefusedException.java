package io.bg3.server.answer;

import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;

/** A refusal of the guard, in the form in which TinkerPop expects it. */
public final class RefusedException extends AuthorizationException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public RefusedException(Refusal refusal) {
    super(refusal.getMessage());
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
