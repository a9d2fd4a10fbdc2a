package io.bg3.server.request;

import org.apache.tinkerpop.gremlin.server.op.session.Session;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;

/**
 * Gives access to Gremlin Server's map of sessions, which is a protected field of the superclass.
 */
@SuppressWarnings("try") // no instance exists, so none needs closing
public final class OpenSessions extends SessionOpProcessor {
  private OpenSessions() {}

  /** The number of open sessions. */
  public static int count() {
    return sessions.size();
  }

  /** The session with this name, or null. */
  static Session find(String name) {
    return sessions.get(name);
  }
}
