package io.bg3.server.guard;

import io.netty.channel.Channel;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Knows whose requests come by a connection, and keeps a record of what became of them. Called in
 * the threads that judge, or in those of the connections if it {@link #isQuick}.
 */
public interface Callers {
  /**
   * Whose the request at hand is.
   *
   * @throws AuthorizationException if it is nobody's who may send any
   */
  AuthenticatedUser caller(Channel channel) throws AuthorizationException;

  /**
   * Is told about each request that was judged.
   *
   * @param problem why it was refused, empty if it was not
   */
  void judged(Channel channel, RequestMessage request, String problem);

  /** Whether both take no time to speak of, so that a thread that others wait for may call them. */
  boolean isQuick();
}
