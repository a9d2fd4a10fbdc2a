package io.bg3.core.thread;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A thread of a store that is there while there is work, and does one piece after the other: {@link
 * #start} begins it, and it ends by itself when no piece is left.
 *
 * <p>What is left to do is known to an owner, whose monitor is taken before that of this object
 * wherever both are: so an owner that adds a piece and then calls {@link #start} finds either a
 * thread that will see the piece, or none.
 *
 * <p>Threads: any; the monitor guards {@code thread}.
 *
 * @param <T> a piece of work
 */
public final class OnDemandThread<T> implements AutoCloseable {
  private final String name;
  private final Object owner;
  private final Supplier<T> next;
  private final Consumer<T> work;
  private StoreThread thread; // null while there is nothing to do
  private volatile boolean closed;

  /**
   * A thread that is not there yet.
   *
   * @param owner knows what is left to do; its monitor is held while {@code next} is asked
   * @param next the next piece of work; null if there is none
   * @param work does a piece and throws nothing; afterwards {@code next} does not name it again
   */
  public OnDemandThread(String name, Object owner, Supplier<T> next, Consumer<T> work) {
    this.name = name;
    this.owner = owner;
    this.next = next;
    this.work = work;
  }

  /** Works until nothing is left to do. The caller holds the owner's monitor. */
  public synchronized void start() {
    assert Thread.holdsLock(owner);
    if (thread == null && !closed && next.get() != null) {
      StoreThread begun = new StoreThread(name, this::run);
      begun.start(); // waits for this monitor before it looks for work
      thread = begun;
    }
  }

  /** Whether the work is to come to its end: asked between two steps of a piece. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the thread, after the step that it is in; it does not begin again. */
  @Override
  public void close() {
    StoreThread running;
    synchronized (this) {
      closed = true;
      running = thread;
    }
    if (running != null) {
      running.close();
    }
  }

  private void run() {
    for (T piece = take(); piece != null; piece = take()) {
      work.accept(piece);
    }
  }

  /** The next piece of work; null if there is none, and the thread ends. */
  private T take() {
    synchronized (owner) { // taken first wherever both are
      synchronized (this) {
        T piece = closed ? null : next.get();
        if (piece == null) {
          thread = null;
        }
        return piece;
      }
    }
  }
}
