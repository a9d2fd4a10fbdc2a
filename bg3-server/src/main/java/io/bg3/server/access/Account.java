package io.bg3.server.access;

import io.bg3.server.guard.Restricted;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;

/** Who a connection belongs to, once it has logged in, with what he may do. */
public final class Account extends AuthenticatedUser implements Restricted {
  /** The client of a server that has no users. */
  public static final Account ANYBODY = new Account("anonymous", Role.WRITER);

  private final Role role;
  private final String hash; // of the password that it has logged in with; empty if it has not

  Account(String name, Role role) {
    this(name, role, "");
  }

  /** The account of a user. */
  Account(User user) {
    this(user.name(), user.role(), user.hash());
  }

  private Account(String name, Role role, String hash) {
    super(name);
    this.role = role;
    this.hash = hash;
  }

  Role role() {
    return role;
  }

  /** Whether the user still has the password that this account has logged in with. */
  boolean isOf(User user) {
    return user.hash().equals(hash);
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
