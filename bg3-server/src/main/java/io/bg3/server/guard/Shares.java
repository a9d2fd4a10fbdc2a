package io.bg3.server.guard;

/**
 * How much of what all clients share one of them may take. A share is a part of the whole, so that
 * it follows the limits, and leaves room for others however few there are.
 *
 * @param connectionPercent of the connections, for one address
 * @param sessionPercent of the sessions, for one user, or one address where there are no users
 */
public record Shares(int connectionPercent, int sessionPercent) {
  /** The connections that one address may have, at least 1. */
  public int connections(int all) {
    return of(all, connectionPercent);
  }

  /** The sessions that one owner may have, at least 1. */
  public int sessions(int all) {
    return of(all, sessionPercent);
  }

  private static int of(int all, int percent) {
    return (int) Math.max(1, (long) all * percent / 100);
  }
}
