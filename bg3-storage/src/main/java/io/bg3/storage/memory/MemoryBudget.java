package io.bg3.storage.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * How many bytes a store may use, and how many it does.
 *
 * <p>There are two ways to take bytes. A thread that can still fail {@linkplain #request requests}
 * them and is served in the order of arrival. A thread that cannot fail any more {@linkplain
 * #reserve reserves} them and may overdraw the budget; an overdrawn budget grants no request until
 * releases have paid it back.
 *
 * <ul>
 *   <li>M1: {@code used} is the sum of what was taken and not released; it is never negative.
 *   <li>M2: {@link #tryReserve}, {@link #tryRequest} and {@link #request} never raise {@code used}
 *       above {@code limit}.
 *   <li>M3: a request is granted only when no earlier request is waiting that has time left.
 * </ul>
 *
 * <p>Threads: any. {@code used} changes by atomic additions; {@code queue} is guarded by {@code
 * lock}; {@code waiting} and {@code awaited} are the queue's length and the bytes of its first
 * request, written under the lock and read without. A waiter raises {@code waiting} and then reads
 * {@code used}, a release lowers {@code used} and then reads {@code waiting}; both are volatile, so
 * one of the two sees the other and no wake-up is lost.
 */
public class MemoryBudget {
  /** The time for which a request waits for others to release memory, by default. */
  static final long PATIENCE_MILLIS = 200;

  /** The interval in which a waiting request tries the reliefs. */
  private static final long RELIEF_NANOS = 5_000_000;

  /** A request for a larger part of the budget tries the reliefs before it is granted. */
  private static final int LARGE_SHARE = 16;

  private final long limit;
  private final String settingName;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong onHeap = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Ticket> queue = new ArrayDeque<>();
  private volatile int waiting;
  private volatile long awaited; // bytes of the first in the queue

  /** Whether requests try the reliefs though the bytes fit. */
  private volatile boolean pressed;

  private volatile long patienceNanos = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
  private final List<LongConsumer> reliefs = new CopyOnWriteArrayList<>();

  /**
   * @param limit bytes that may be in use, above 0
   * @param settingName the setting that says so, for error messages
   */
  public MemoryBudget(long limit, String settingName) {
    if (limit <= 0) {
      throw new IllegalArgumentException("memory budget must be positive: limit=" + limit);
    }
    this.limit = limit;
    this.settingName = settingName;
  }

  /** Takes the bytes if they fit at once and nobody is waiting for some; says whether it did. */
  public boolean tryReserve(long bytes) {
    checkBytes(bytes);
    return waiting == 0 && take(bytes);
  }

  /** Takes the bytes whether they fit or not. */
  public void reserve(long bytes) {
    checkBytes(bytes);
    used.getAndAdd(bytes);
  }

  /**
   * Takes the bytes, after the threads that asked earlier; waits a short while for releases if they
   * do not fit. An interrupt does not end the wait, the flag is kept.
   *
   * @throws MemoryExceededException if they do not fit after that while; nothing is taken then
   */
  public void request(long bytes) {
    if (!tryRequest(bytes) && (bytes > limit || !requestInTurn(bytes, patienceNanos))) {
      throw exceeded(bytes);
    }
  }

  /**
   * As {@link #request}, for a thread that can do something else instead.
   *
   * @param millis how long it waits for releases at most
   * @return whether the bytes were taken
   */
  public boolean tryRequest(long bytes, long millis) {
    long nanos = Math.min(TimeUnit.MILLISECONDS.toNanos(millis), patienceNanos);
    return tryRequest(bytes) || (bytes <= limit && nanos > 0 && requestInTurn(bytes, nanos));
  }

  /**
   * Takes the bytes if they fit once the reliefs have been tried, and nobody is waiting for some;
   * says whether it did.
   */
  public boolean tryRequest(long bytes) {
    if (!pressed && bytes <= limit / LARGE_SHARE && tryReserve(bytes)) {
      return true;
    }
    if (bytes > limit) {
      return false;
    }
    relieve(bytes);
    return tryReserve(bytes);
  }

  private boolean requestInTurn(long bytes, long nanos) {
    Ticket ticket = new Ticket(bytes, System.nanoTime() + nanos);
    boolean interrupted = false;
    lock.lock();
    try {
      queue.addLast(ticket);
      queueHasChanged();
      while (queue.peekFirst() != ticket || !take(bytes)) {
        long now = System.nanoTime();
        long left = ticket.deadline - now;
        if (left <= 0) {
          return isNext(ticket, now) && take(bytes);
        }
        try {
          changed.awaitNanos(Math.min(left, RELIEF_NANOS));
        } catch (InterruptedException e) {
          interrupted = true;
        }
        lock.unlock(); // a thread that releases meanwhile holds locks that the reliefs take, and
        // wants this
        // one
        try {
          relieve(bytes);
        } finally {
          lock.lock();
        }
      }
      return true;
    } finally {
      queue.remove(ticket);
      queueHasChanged();
      changed.signalAll();
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The place of a request in the queue; equal to itself only. */
  private static final class Ticket {
    private final long bytes;
    private final long deadline;

    Ticket(long bytes, long deadline) {
      this.bytes = bytes;
      this.deadline = deadline;
    }
  }

  /** Whether those in front of a request have run out of time (M3). */
  private boolean isNext(Ticket ticket, long now) {
    for (Ticket one : queue) {
      if (one == ticket) {
        return true;
      }
      if (one.deadline - now > 0) {
        return false;
      }
    }
    throw new AssertionError("not in the queue");
  }

  private void queueHasChanged() {
    waiting = queue.size();
    awaited = queue.isEmpty() ? 0 : queue.peekFirst().bytes;
  }

  /** Bytes that the request asks for that has waited longest; 0 if none waits. */
  public long awaited() {
    return awaited;
  }

  /** As {@link #reserve}, for bytes that are on the heap and stay for long. */
  public void reserveOnHeap(long bytes) {
    reserve(bytes);
    onHeap.getAndAdd(bytes);
  }

  /** Gives back bytes that were taken by {@link #reserveOnHeap}. */
  public void releaseOnHeap(long bytes) {
    long before = onHeap.getAndAdd(-bytes);
    assert before >= bytes : "M1: onHeap=" + before + ", released=" + bytes;
    release(bytes);
  }

  /** Gives bytes back that were taken by any of the others. */
  public void release(long bytes) {
    checkBytes(bytes);
    long before = used.getAndAdd(-bytes);
    assert before >= bytes : "M1: used=" + before + ", released=" + bytes;
    if (waiting != 0) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Bytes in use; above {@link #limit} while overdrawn. */
  public long used() {
    return used.get();
  }

  /** The part of {@link #used} that is on the heap. */
  public long onHeap() {
    return onHeap.get();
  }

  /** Bytes that may be in use. */
  public long limit() {
    return limit;
  }

  /** Key of the setting that says {@link #limit}. */
  public String settingName() {
    return settingName;
  }

  /**
   * Says how long a request waits. It is worth waiting for longer while a thread makes room that
   * has to write to the disk for it.
   */
  public void setPatience(long millis) {
    patienceNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Says whether requests try the reliefs even if their bytes fit: because what is free is of no
   * use to them as it lies.
   */
  void setPressed(boolean on) {
    if (pressed != on) { // one line for all threads
      pressed = on;
    }
  }

  /** Whether requests try the reliefs even if their bytes fit. */
  public boolean isPressed() {
    return pressed;
  }

  /** Has requests wait as long as without such a thread: it has ended. */
  public void resetPatience() {
    setPatience(PATIENCE_MILLIS);
  }

  /**
   * Adds what may be tried when a request does not fit: it releases bytes that nobody needs any
   * more, without waiting.
   *
   * @param relief is told how many bytes are asked for
   */
  public void addRelief(LongConsumer relief) {
    reliefs.add(relief);
  }

  /** Takes back what {@link #addRelief} added. */
  public void removeRelief(LongConsumer relief) {
    reliefs.remove(relief);
  }

  private void relieve(long bytes) {
    for (LongConsumer relief : reliefs) {
      relief.accept(bytes);
    }
  }

  private boolean take(long bytes) {
    long before = used.get();
    while (bytes <= limit - before) {
      long witness = used.compareAndExchange(before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  private MemoryExceededException exceeded(long bytes) {
    return new MemoryExceededException(
        "memory budget exceeded", settingName, bytes, used.get(), limit);
  }

  private static void checkBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
  }

  @Override
  public String toString() {
    return "MemoryBudget[used=" + used() + ", limit=" + limit + ", setting=" + settingName + "]";
  }
}
