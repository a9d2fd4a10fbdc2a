package io.bg3.server.query;

import io.bg3.server.guard.RestrictedUser;
import io.bg3.server.request.ConnectionUsers;
import io.bg3.server.request.RunningQueries;
import io.netty.channel.Channel;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;

/** Tells the client that has called a service. Threads: any. */
public final class Callers {
  private final ConnectionUsers users;

  /**
   * The callers of a server's services.
   *
   * @param users tells the role of a caller
   */
  public Callers(ConnectionUsers users) {
    this.users = users;
  }

  /**
   * A client.
   *
   * @param channel its connection
   * @param owner its user, or its address where there are no users
   * @param graphs those that it may query
   */
  record Caller(Channel channel, String owner, boolean isAdministrator, Predicate<String> graphs) {
    /** Whether the client may query a graph. */
    boolean mayRead(String graph) {
      return graphs.test(graph);
    }

    /** Whether the client may see and end the requests of an owner. */
    boolean maySee(String other) {
      return isAdministrator || owner.equals(other);
    }
  }

  /** Whether the client whose request the calling thread runs may query a graph. */
  public boolean mayRead(String graph) {
    return caller().mayRead(graph);
  }

  /**
   * Checks that the client whose request the calling thread runs is an administrator.
   *
   * @throws IllegalArgumentException if it is not
   */
  public void requireAdministrator(String service) {
    if (!caller().isAdministrator()) {
      throw new IllegalArgumentException(
          "only users with the role admin may call this service: service=" + service);
    }
  }

  /**
   * The client whose request the calling thread runs, with its role of now.
   *
   * @throws IllegalStateException if the thread runs no client's request, or its user was removed
   */
  Caller caller() {
    Channel channel =
        RunningQueries.caller()
            .orElseThrow(() -> new IllegalStateException("the caller is no client of the server"));
    try {
      AuthenticatedUser user = users.caller(channel);
      return new Caller(
          channel,
          RunningQueries.callersOwner().orElseThrow(),
          user instanceof RestrictedUser restricted && restricted.mayAdminister(),
          graph -> !(user instanceof RestrictedUser restricted) || restricted.mayRead(graph));
    } catch (AuthorizationException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
