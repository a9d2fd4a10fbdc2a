package io.bg3.server.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sessions of all connections: how many there are, how long they live, and their end when the
 * server stops. A session that has ended with a transaction open is remembered until its client has
 * acknowledged the end or its connection closes; see {@link Lease}.
 *
 * <p>Threads: any.
 */
public final class Sessions {
  /** More are not remembered: the connection of one more is closed, which says it as well. */
  private static final int MOST_ENDED = 4_096;

  private final Limits limits;
  private final Map<String, Lease> leases = new ConcurrentHashMap<>();
  private final SessionCounts<ChannelId> live;
  private final AtomicLong changes = new AtomicLong();
  private final Object change = new Object();
  private volatile ScheduledExecutorService timer;
  private volatile boolean closing;
  private volatile List<ExecutorService> threads = List.of();

  /** Sessions of a server. */
  public Sessions(Limits limits, Shares shares) {
    this.limits = limits;
    this.live = new SessionCounts<>(limits.sessions(), shares.sessions(limits.sessions()));
  }

  /** Has the ends of sessions come from this; set before the first session begins. */
  void useTimer(ScheduledExecutorService executor) {
    timer = executor;
  }

  Limits limits() {
    return limits;
  }

  boolean isClosing() {
    return closing;
  }

  Future<?> later(Runnable task, long millis) {
    return timer.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** The lease of a session's name, made if there is none. */
  Lease lease(String name, ChannelHandlerContext context) throws Refusal {
    Lease lease = leases.get(name);
    if (lease == null) {
      lease = new Lease(this, name, context);
      add(lease);
    } else if (!lease.isOf(context)) {
      throw Refusal.forbidden("session belongs to another connection");
    }
    return lease;
  }

  private void add(Lease lease) throws Refusal {
    if (closing) {
      throw Refusal.stopping();
    }
    live.add(lease.owner(), lease.connection());
    if (leases.putIfAbsent(lease.name(), lease) != null) {
      live.remove(lease.owner(), lease.connection());
      throw Refusal.forbidden("session belongs to another connection");
    }
  }

  /** Takes note of a session's end. */
  void ended(Lease lease, boolean isRemembered) {
    live.remove(lease.owner(), lease.connection());
    if (!isRemembered) {
      leases.remove(lease.name(), lease);
    } else if (leases.size() - live.all() > MOST_ENDED) {
      lease.closeConnection();
    }
    changed();
  }

  /** Forgets one whose end was noted. */
  void forget(Lease lease) {
    leases.remove(lease.name(), lease);
  }

  /** Wakes {@link #awaitDone}. */
  void changed() {
    if (closing) {
      changes.incrementAndGet();
      synchronized (change) {
        change.notifyAll();
      }
    }
  }

  /** Begins no more sessions; those with an open transaction may end it. */
  public void close() {
    closing = true;
  }

  /**
   * Waits until no session has a request or an open transaction, after {@link #close}.
   *
   * @param deadline of {@link System#nanoTime}
   */
  public void awaitDone(long deadline) throws InterruptedException {
    while (true) {
      long seen = changes.get();
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0 || leases.values().stream().allMatch(Lease::isDone)) {
        return;
      }
      synchronized (change) {
        if (changes.get() == seen) {
          change.wait(millis);
        }
      }
    }
  }

  /** Ends all sessions: what runs is interrupted, what waits is refused. */
  public void endAll() {
    List<ExecutorService> ended = new ArrayList<>();
    for (Lease lease : leases.values()) {
      ExecutorService thread = lease.thread();
      if (thread != null) {
        ended.add(thread);
      }
      lease.end("the server is stopping");
    }
    threads = ended;
  }

  /** Waits until the threads of sessions that were ended are gone. */
  public void awaitEnded(long deadline) throws InterruptedException {
    for (ExecutorService thread : threads) {
      if (!thread.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }
}
