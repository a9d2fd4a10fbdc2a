package io.bg3.server.query;

import io.bg3.server.guard.RestrictedUser;
import io.bg3.server.request.ConnectionUsers;
import io.bg3.server.request.RunningQueries;
import io.netty.channel.Channel;
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
   */
  record Caller(Channel channel, String owner, boolean isAdministrator) {
    /** Whether the client may see and end the requests of an owner. */
    boolean maySee(String other) {
      return isAdministrator || owner.equals(other);
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
          user instanceof RestrictedUser restricted && restricted.mayAdminister());
    } catch (AuthorizationException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
