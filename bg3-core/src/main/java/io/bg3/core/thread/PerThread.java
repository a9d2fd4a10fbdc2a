package io.bg3.core.thread;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * An object of a store for each thread that asks for one, which the thread uses again and again.
 *
 * <p>The values of a plain {@link ThreadLocal} are kept by their threads. Such a value that leads
 * to the store, and by it to the {@code ThreadLocal}, keeps a closed store for as long as the
 * thread lives. Here the thread has a weak reference, and this object, which is a part of the
 * store, has the values: they go with the store, or with their thread.
 *
 * <p>Threads: any.
 *
 * @param <T> must not refer to its thread
 */
public final class PerThread<T> {
  private final Supplier<T> maker;

  @SuppressWarnings("ThreadLocalUsage") // each store has objects of its own
  private final ThreadLocal<WeakReference<T>> mine = new ThreadLocal<>();

  private final Map<Thread, T> values = new WeakHashMap<>(); // guarded by itself

  private PerThread(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Objects that are made when a thread asks for its first. */
  public static <T> PerThread<T> of(Supplier<T> maker) {
    return new PerThread<>(maker);
  }

  /** The object of the calling thread. */
  public T get() {
    WeakReference<T> found = mine.get();
    T value = found == null ? null : found.get();
    return value == null ? make() : value;
  }

  /** Has a new object made when the calling thread asks next. */
  public void remove() {
    mine.remove();
    synchronized (values) {
      values.remove(Thread.currentThread());
    }
  }

  private T make() {
    T value = maker.get();
    synchronized (values) {
      values.put(Thread.currentThread(), value);
    }
    mine.set(new WeakReference<>(value));
    return value;
  }
}
