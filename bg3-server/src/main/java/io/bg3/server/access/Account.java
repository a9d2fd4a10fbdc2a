package io.bg3.server.access;

import io.bg3.server.guard.RestrictedUser;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;

/**
 * A user that is logged in, with the role that decides what the user may do. Threads: any;
 * immutable.
 */
public final class Account extends AuthenticatedUser implements RestrictedUser {
  /** The account of every client on a server without users. It may write. */
  public static final Account ANYBODY = new Account("anonymous", Role.WRITER);

  private final Role role;
  private final String hash; // of the password at login; empty without a login

  Account(String name, Role role) {
    this(name, role, "");
  }

  /** The account of a user, with the user's current role and password hash. */
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

  /** Whether the user's password hash is still the one at login. */
  boolean isOf(User user) {
    return user.hash().equals(hash);
  }

  @Override
  public boolean mayWrite() {
    return role == Role.WRITER;
  }

  /** Accounts are equal if their names and roles are equal. */
  @Override
  public boolean equals(Object other) {
    return super.equals(other) && other instanceof Account account && account.role == role;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
