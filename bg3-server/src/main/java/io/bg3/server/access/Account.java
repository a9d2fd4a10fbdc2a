package io.bg3.server.access;

import io.bg3.server.guard.RestrictedUser;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;

/**
 * A user that is logged in, with the roles that decide what the user may do. Threads: any;
 * immutable.
 */
public final class Account extends AuthenticatedUser implements RestrictedUser {
  /** The account of every client on a server without users. It may write. */
  public static final Account ANYBODY = new Account("anonymous", Role.WRITER);

  private final Role role;
  private final GraphRoles graphs;
  private final String hash; // of the password at login; empty without a login
  private final boolean readsOnly; // whatever the role is

  Account(String name, Role role) {
    this(name, role, GraphRoles.NONE, "", false);
  }

  /** The account of a user, with the user's current roles and password hash. */
  Account(User user) {
    this(user.name(), user.role(), user.graphs(), user.hash(), false);
  }

  private Account(String name, Role role, GraphRoles graphs, String hash, boolean readsOnly) {
    super(name);
    this.role = role;
    this.graphs = graphs;
    this.hash = hash;
    this.readsOnly = readsOnly;
  }

  /** The account for a request that may only read. */
  Account readingOnly() {
    return new Account(getName(), role, graphs, hash, true);
  }

  /** The role on a graph. */
  Role role(String graph) {
    return graphs.byGraph().getOrDefault(graph, role);
  }

  /** Whether the user's password hash is still the one at login. */
  boolean isOf(User user) {
    return user.hash().equals(hash);
  }

  @Override
  public boolean mayRead(String graph) {
    return role(graph) != Role.NONE;
  }

  @Override
  public boolean mayWrite(String graph) {
    Role here = role(graph);
    return here != Role.NONE && here != Role.READER && !readsOnly;
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
        && account.graphs.equals(graphs)
        && account.readsOnly == readsOnly;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
