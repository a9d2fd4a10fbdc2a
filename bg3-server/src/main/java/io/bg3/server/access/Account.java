package io.bg3.server.access;

import io.bg3.server.guard.Restricted;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;

/** Who a connection belongs to, once it has logged in, with what he may do. */
public final class Account extends AuthenticatedUser implements Restricted {
  /** Whoever asks a server that asks nobody who he is. */
  public static final Account ANYBODY = new Account("anonymous", Role.WRITER);

  private final Role role;

  Account(String name, Role role) {
    super(name);
    this.role = role;
  }

  Role role() {
    return role;
  }

  @Override
  public boolean mayWrite() {
    return role == Role.WRITER;
  }

  /** Two accounts are one if name and role are. */
  @Override
  public boolean equals(Object other) {
    return super.equals(other) && other instanceof Account account && account.role == role;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
