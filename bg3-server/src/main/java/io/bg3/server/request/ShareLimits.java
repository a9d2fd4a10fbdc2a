package io.bg3.server.request;

/**
 * The part of a shared resource that one client may take. A share is a percentage of the whole, so
 * it scales with the limits; below 100 % it leaves room for other clients.
 *
 * @param connectionPercent of the connections, for one address
 * @param sessionPercent of the sessions, for one user, or for one address on a server without users
 */
public record ShareLimits(int connectionPercent, int sessionPercent) {
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
