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
  private final boolean readsOnly; // whatever the role is

  Account(String name, Role role) {
    this(name, role, "", false);
  }

  /** The account of a user, with the user's current role and password hash. */
  Account(User user) {
    this(user.name(), user.role(), user.hash(), false);
  }

  private Account(String name, Role role, String hash, boolean readsOnly) {
    super(name);
    this.role = role;
    this.hash = hash;
    this.readsOnly = readsOnly;
  }

  /** The account for a request that may only read. */
  Account readingOnly() {
    return new Account(getName(), role, hash, true);
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
    return role != Role.READER && !readsOnly;
  }

  @Override
  public boolean mayAdminister() {
    return role == Role.ADMIN;
  }

  /** Accounts are equal if their names, their roles and what they may write are equal. */
  @Override
  public boolean equals(Object other) {
    return super.equals(other)
        && other instanceof Account account
        && account.role == role
        && account.readsOnly == readsOnly;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
