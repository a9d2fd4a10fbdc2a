package io.bg3.server.dispatch;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A user, or an address where the server has no users: the connections of an owner share what one
 * owner gets. Guarded by the scheduler's lock, but for the final fields that say otherwise.
 */
final class Owner {
  /** By the time used; of equal ones the one that has been ready for longer comes first. */
  static final Comparator<Owner> BY_TIME =
      Comparator.<Owner>comparingLong(owner -> owner.time).thenComparingLong(owner -> owner.order);

  final String name;

  /** Clients that have a request which may begin. */
  final TreeSet<Client> ready = new TreeSet<>(Client.BY_TIME);

  /** Those of them whose next request belongs to a session. */
  final TreeSet<Client> readyInSessions = new TreeSet<>(Client.BY_TIME);

  /** Thread time used, in nanoseconds; comparable with that of other owners only. */
  long time;

  /** The time of the client that was served last: clients that come anew begin there. */
  long now;

  /** The most that a client of this owner had used when it was closed. */
  long closed;

  long order;
  long bytes;
  int waiting;
  int running;

  /** Those of them that have no thread, as those of {@link Client#late}. */
  int late;

  /** Requests that run and do not belong to a session: the limit is on these. */
  int queries;

  int clients;

  /** Requests whose threads should have ended and were replaced. */
  int lent;

  /** Whether the owner has its share of such threads, so that owners without come first. */
  boolean isHeld;

  /** Whether it is among those that the scheduler looks at until it can forget them. */
  boolean isLeaving;

  boolean isReady;
  boolean isNew = true;

  /** What the queries of the owner may take. Threads: any. */
  volatile OwnerLimits limits = OwnerLimits.NONE;

  /** Bytes that requests of this owner take of the {@link Budget}. Threads: any. */
  final AtomicLong decoded = new AtomicLong();

  Owner(String name) {
    this.name = name;
  }

  /**
   * The clients of which the first comes next: all that are ready; if as many queries run as may,
   * those with a request of a session.
   */
  SortedSet<Client> next() {
    return limits.isFull(queries) ? readyInSessions : ready;
  }

  /** Whether no request of it waits or has a thread. */
  boolean isIdle() {
    return waiting == 0 && running == late;
  }

  /** Whether it has no request at all. */
  boolean isWithoutRequests() {
    return waiting == 0 && running == 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
