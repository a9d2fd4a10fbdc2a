package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.server.op.session.Session;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;

/** Where Gremlin Server keeps its sessions: a field for the eyes of subclasses only. */
@SuppressWarnings("try") // nobody makes one, so nobody closes one
public final class OpenSessions extends SessionOpProcessor {
  private OpenSessions() {}

  /** How many there are. */
  public static int count() {
    return sessions.size();
  }

  /** The session of this name, null if there is none. */
  static Session find(String name) {
    return sessions.get(name);
  }
}
