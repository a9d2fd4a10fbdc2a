package io.bg3.core.thread;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Tasks that are done at once where there are processors for it. */
public final class ParallelTasks {
  private ParallelTasks() {}

  /**
   * Does something with each of some items, in any order and by several threads. When it returns or
   * throws, no task goes on: a parallel stream that fails does not wait for its other threads.
   *
   * @throws RuntimeException what the first task that failed has thrown, or an {@link Error}; what
   *     others have thrown is suppressed by it
   */
  public static <T> void run(Collection<T> items, Consumer<T> task) {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List.copyOf(items).parallelStream()
        .forEach(
            item -> {
              try {
                task.accept(item);
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
    Throwable first = failures.poll();
    if (first == null) {
      return;
    }
    failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
    if (first instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) first;
  }
}
