package io.bg3.server.request;

import io.bg3.server.dispatch.OwnerLimits;
import io.netty.channel.Channel;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Identifies the user of each connection and records the outcome of each check. The worker thread
 * that checks a request calls it through {@link Authorization}; if {@link #isQuick} returns true,
 * an event loop may call it too.
 */
public interface ConnectionUsers {
  /**
   * The user who sent the request that is being checked.
   *
   * @throws AuthorizationException if the connection has no user who may send requests
   */
  AuthenticatedUser caller(Channel channel) throws AuthorizationException;

  /**
   * Records the outcome of the check of a request.
   *
   * @param problem why the request is refused; empty if it is allowed
   */
  void validated(Channel channel, RequestMessage request, String problem);

  /**
   * The limits of the queries of a connection's user, or of its address where there are no users.
   */
  OwnerLimits limits(Channel channel);

  /** Whether the methods return without blocking now, so that an event loop may call them. */
  boolean isQuick();

  /**
   * Whether each request that writes has to be recorded before it runs. An event loop does not know
   * beforehand whether it will answer a request, so it records one after it has run it.
   */
  boolean recordsFirst();
}
