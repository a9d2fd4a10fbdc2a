package io.bg3.server.guard;

import java.util.HashMap;
import java.util.Map;

/**
 * How many sessions there are: in all, of each owner, and of each connection.
 *
 * <p>Threads: any.
 *
 * @param <C> the connections
 */
final class SessionCounts<C> {
  private static final int CONNECTION_PART = 4; // a driver has a connection for each session

  private final int limit;
  private final int ofOwner;
  private final int ofConnection;
  private final Map<String, Integer> owners = new HashMap<>();
  private final Map<C, Integer> connections = new HashMap<>();
  private int all;

  /**
   * No sessions yet.
   *
   * @param limit the most in all
   * @param ofOwner the most of one owner
   */
  SessionCounts(int limit, int ofOwner) {
    this.limit = limit;
    this.ofOwner = ofOwner;
    this.ofConnection = Math.max(1, limit / CONNECTION_PART);
  }

  /**
   * Counts a session that begins.
   *
   * @throws Refusal if there are too many
   */
  synchronized void add(String owner, C connection) throws Refusal {
    require("too many sessions are open", all, limit);
    require("this client has too many sessions open", owners.getOrDefault(owner, 0), ofOwner);
    require(
        "this connection has too many sessions open",
        connections.getOrDefault(connection, 0),
        ofConnection);
    all++;
    owners.merge(owner, 1, Integer::sum);
    connections.merge(connection, 1, Integer::sum);
  }

  private static void require(String problem, int count, int limit) throws Refusal {
    if (count >= limit) {
      throw Refusal.tooMany(problem + ": limit=" + limit);
    }
  }

  /** Takes the count of a session back that has ended. */
  synchronized void remove(String owner, C connection) {
    all--;
    owners.computeIfPresent(owner, (same, count) -> count == 1 ? null : count - 1);
    connections.computeIfPresent(connection, (same, count) -> count == 1 ? null : count - 1);
  }

  synchronized int all() {
    return all;
  }
}
