package io.bg3.server.dispatch;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/**
 * A connection as the scheduler sees it, made by {@link Scheduler#connect}. All fields are guarded
 * by the scheduler's lock; {@link #hasWaiting} is read without it.
 */
public final class Client {
  static final Comparator<Client> BY_TIME =
      Comparator.<Client>comparingLong(client -> client.time)
          .thenComparingLong(client -> client.order);

  /** A request that waits. */
  record Waiting(ScheduledRequest work, long since, int bytes, boolean isInSession) {}

  final Owner owner;
  final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Whether requests of it wait. */
  volatile boolean hasWaiting;

  /** Its request that is being prepared, as far as the queue knows; null if there is none. */
  RunningRequest preparing;

  /** Thread time used, in nanoseconds; comparable with that of clients of this owner only. */
  long time;

  long order;
  long bytes;
  int running;

  /** Those of them that have no thread: they are answered when their commits are durable. */
  int late;

  /** Whether one of its requests is being prepared: they are prepared one after the other. */
  boolean isPreparing;

  /** Whether its requests have to wait because it does not read what it is sent. */
  boolean isBlocked;

  /** When it read again, since when its requests have waited for a thread. */
  long unblocked;

  /**
   * Requests that have left the queue without being run, and of which it is not known yet that
   * those behind them may begin. While there is one, none begins: a commit that was sent behind a
   * refused statement would commit the rest of the transaction.
   */
  int refused;

  boolean isReady;
  boolean isNew = true;
  boolean isClosed;

  Client(Owner owner) {
    this.owner = owner;
  }

  /** The user of the connection, or its address where there are no users. */
  public String ownerName() {
    return owner.name;
  }

  /** Whether no request of it waits or has a thread. */
  boolean isIdle() {
    return waiting.isEmpty() && running == late;
  }
}
