package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the open sessions in total, per owner and per connection, and enforces the limit of each.
 *
 * <p>Threads: any; its monitor guards all state.
 *
 * @param <C> the type that identifies a connection
 */
final class SessionCounts<C> {
  private static final int CONNECTION_PART = 4; // drivers open a connection per session

  private final int limit;
  private final int ofOwner;
  private final int ofConnection;
  private final Map<String, Integer> owners = new HashMap<>();
  private final Map<C, Integer> connections = new HashMap<>();
  private int all;

  /**
   * Starts with no session.
   *
   * @param limit the most sessions in total
   * @param ofOwner the most sessions of one owner
   */
  SessionCounts(int limit, int ofOwner) {
    this.limit = limit;
    this.ofOwner = ofOwner;
    this.ofConnection = Math.max(1, limit / CONNECTION_PART);
  }

  /**
   * Counts a new session.
   *
   * @throws Refusal if a limit is reached
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

  /** Uncounts a session that has ended. */
  synchronized void remove(String owner, C connection) {
    all--;
    owners.computeIfPresent(owner, (same, count) -> count == 1 ? null : count - 1);
    connections.computeIfPresent(connection, (same, count) -> count == 1 ? null : count - 1);
  }

  synchronized int all() {
    return all;
  }
}
