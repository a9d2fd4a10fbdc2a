package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.Limits;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sessions of all connections: limits their number and lifetime, and ends them when the server
 * stops. If a session ends with an open transaction, the server remembers it until its client
 * acknowledges the end or the connection closes; see {@link SessionLease}.
 *
 * <p>Threads: any.
 */
public final class Sessions {
  /** How often {@link #awaitDone} looks at leases that it found at work. */
  private static final long LOOK_MILLIS = 50;

  /**
   * The most ended sessions that the server remembers. Beyond it, the server closes the connection
   * of a session that ends, which also tells the client of the end.
   */
  private static final int MOST_ENDED = 4_096;

  private final Limits limits;
  private final Map<String, SessionLease> leases = new ConcurrentHashMap<>();
  private final SessionCounts<ChannelId> live;
  private final AtomicLong changes = new AtomicLong();
  private final Object change = new Object();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Sessions::thread, new ThreadPoolExecutor.DiscardPolicy()); // at the end of the server
  private volatile boolean closing;
  private volatile List<ExecutorService> threads = List.of();

  /**
   * Starts with no session.
   *
   * @param limits the number and the lifetimes of sessions
   * @param shares the part of the sessions that one owner may have
   */
  public Sessions(Limits limits, ShareLimits shares) {
    this.limits = limits;
    this.live = new SessionCounts<>(limits.sessions(), shares.sessions(limits.sessions()));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "bg3-session-timer");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs the deadlines of sessions and of their requests, in a thread of its own: they answer
   * requests and end sessions, which takes too long for an event loop.
   */
  ScheduledExecutorService timer() {
    return timer;
  }

  /** Drops the deadlines that are left. Called when no session is left. */
  public void closeTimer() {
    timer.shutdown();
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

  /**
   * The lease of the session with this name; creates it if there is none.
   *
   * @throws Refusal if the session belongs to another connection, a limit is reached, or the server
   *     is stopping
   */
  SessionLease lease(String name, ChannelHandlerContext context) throws Refusal {
    SessionLease lease = leases.get(name);
    if (lease == null) {
      lease = new SessionLease(this, name, context);
      add(lease);
    } else if (!lease.isOf(context)) {
      throw Refusal.forbidden("session belongs to another connection");
    }
    return lease;
  }

  /** The graph that a connection's session of this name is in; empty if it has none yet. */
  Optional<String> graph(String name, ChannelHandlerContext context) {
    SessionLease lease = leases.get(name);
    return lease == null || !lease.isOf(context)
        ? Optional.empty()
        : Optional.ofNullable(lease.graph());
  }

  private void add(SessionLease lease) throws Refusal {
    if (closing) {
      throw Refusal.stopping();
    }
    live.add(lease.owner(), lease.connection());
    if (leases.putIfAbsent(lease.name(), lease) != null) {
      live.remove(lease.owner(), lease.connection());
      throw Refusal.forbidden("session belongs to another connection");
    }
  }

  /** Records that a session has ended. */
  void ended(SessionLease lease, boolean isRemembered) {
    live.remove(lease.owner(), lease.connection());
    if (!isRemembered) {
      leases.remove(lease.name(), lease);
    } else if (leases.size() - live.all() > MOST_ENDED) {
      lease.closeConnection();
    }
    changed();
  }

  /** Forgets an ended session that {@link #ended} has remembered. */
  void forget(SessionLease lease) {
    leases.remove(lease.name(), lease);
  }

  /** Wakes the thread in {@link #awaitDone}. */
  void changed() {
    if (closing) {
      changes.incrementAndGet();
      synchronized (change) {
        change.notifyAll();
      }
    }
  }

  /** Refuses new sessions; sessions with an open transaction may still end it. */
  public void close() {
    closing = true;
  }

  /**
   * After {@link #close}, waits until no session has a request or an open transaction.
   *
   * @param deadline the end of the wait, on the scale of {@link System#nanoTime}
   */
  public void awaitDone(long deadline) throws InterruptedException {
    while (true) {
      long seen = changes.get();
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0 || leases.values().stream().allMatch(SessionLease::isDone)) {
        return;
      }
      synchronized (change) {
        if (changes.get() == seen) {
          change.wait(Math.min(millis, LOOK_MILLIS)); // a lease at work tells nobody
        }
      }
    }
  }

  /** Ends all sessions: interrupts running requests and refuses waiting ones. */
  public void endAll() {
    List<ExecutorService> ended = new ArrayList<>();
    for (SessionLease lease : leases.values()) {
      ExecutorService thread = lease.thread();
      if (thread != null) {
        ended.add(thread);
      }
      lease.end("the server is stopping");
    }
    threads = ended;
  }

  /**
   * Ends all sessions of a graph.
   *
   * @return whether the threads of all of them have stopped
   */
  boolean end(String graph, String why) {
    boolean areStopped = true;
    for (SessionLease lease : leases.values()) {
      if (graph.equals(lease.graph())) {
        lease.end(why);
        ExecutorService thread = lease.thread();
        areStopped &= thread == null || thread.isTerminated();
      }
    }
    return areStopped;
  }

  /**
   * Waits until the threads of the ended sessions have stopped, or the deadline has passed.
   *
   * @param deadline on the scale of {@link System#nanoTime}
   */
  public void awaitEnded(long deadline) throws InterruptedException {
    for (ExecutorService thread : threads) {
      if (!thread.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }
}
