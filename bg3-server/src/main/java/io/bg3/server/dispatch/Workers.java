package io.bg3.server.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The workers that have nothing to do, and those that were given a request and do not know it yet.
 *
 * <ul>
 *   <li>T1: a worker is idle, has a request, or ends; one that was given a request is idle no more.
 *   <li>T2: a worker is started only if none is idle, so there are no more than there were requests
 *       at once: each of them has one of the places (D4).
 * </ul>
 *
 * <p>Threads: the scheduler's lock guards it. The lists that {@link #takeWoken} and {@link
 * #takeUnborn} give are unparked and started without the lock: a thread that runs at once could
 * take the processor from the one that holds it.
 */
final class Workers {
  /** An empty list without a capacity of its own would take memory for its first worker. */
  private static final int ROOM = 4;

  private final Function<String, Worker> factory;
  private final int mostIdle;
  private final Deque<Worker> idle = new ArrayDeque<>(); // the one that worked last is last
  private ArrayList<Worker> woken = new ArrayList<>(ROOM); // have to be unparked
  private ArrayList<Worker> unborn = new ArrayList<>(ROOM); // have to be started
  private Worker spare; // is made and not started; null if there is none
  private int names;
  private volatile boolean areClosed; // set with the lock

  /**
   * No workers yet.
   *
   * @param mostIdle idle workers that do not end
   * @param factory makes a worker of this name
   */
  Workers(int mostIdle, Function<String, Worker> factory) {
    this.mostIdle = mostIdle;
    this.factory = factory;
  }

  /** Takes the memory that {@link #give} needs, which may run out: nothing has changed then. */
  void prepare() {
    woken.ensureCapacity(woken.size() + 1);
    unborn.ensureCapacity(unborn.size() + 1);
    if (idle.isEmpty() && spare == null) {
      spare = factory.apply("bg3-query-" + ++names);
    }
  }

  /** Behind {@link #prepare}: gives a request to the worker that worked last, or to a new one. */
  void give(RunningRequest one) {
    Worker worker = idle.pollLast();
    if (worker != null) {
      worker.give(one);
      woken.add(worker);
    } else {
      spare.give(one);
      unborn.add(spare);
      spare = null;
    }
  }

  /** Keeps a worker that has nothing to do, unless all end. */
  void rest(Worker worker) {
    if (!areClosed) {
      idle.addLast(worker);
    }
  }

  /** Whether a worker ends that was idle for a while: there are enough others, or all end. */
  boolean leaves(Worker worker) {
    boolean leaves = worker.given() == null && (areClosed || idle.size() > mostIdle);
    if (leaves) {
      idle.remove(worker);
    }
    return leaves;
  }

  /** Workers that have to be unparked. */
  List<Worker> takeWoken() {
    if (woken.isEmpty()) {
      return List.of();
    }
    List<Worker> taken = woken;
    woken = new ArrayList<>(ROOM);
    return taken;
  }

  /** Whether workers have to be started. */
  boolean hasUnborn() {
    return !unborn.isEmpty();
  }

  /** Workers that have to be started. */
  List<Worker> takeUnborn() {
    if (unborn.isEmpty()) {
      return List.of();
    }
    List<Worker> taken = unborn;
    unborn = new ArrayList<>(ROOM);
    return taken;
  }

  /** Ends the idle ones, and others when they have nothing to do. */
  void close() {
    areClosed = true;
    idle.forEach(LockSupport::unpark);
  }

  /** Whether all end. Threads: any, without the lock. */
  boolean areClosed() {
    return areClosed;
  }
}
