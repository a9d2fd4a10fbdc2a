package io.bg3.linkbench.phase;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that begin together and are waited for; when one fails the others are told to stop. */
final class WorkerThreads {
  private final PhaseControl control;
  private final List<Runnable> tasks = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  WorkerThreads(PhaseControl control) {
    this.control = control;
  }

  void add(Runnable task) {
    tasks.add(task);
  }

  /**
   * Runs the tasks to their end.
   *
   * @param everySecond is done meanwhile, and once more afterwards
   */
  void run(String name, Runnable everySecond) {
    CountDownLatch left = new CountDownLatch(tasks.size());
    CountDownLatch begin = new CountDownLatch(1);
    for (int i = 0; i < tasks.size(); i++) {
      Runnable task = tasks.get(i);
      new Thread(() -> work(task, begin, left), "linkbench-" + name + "-" + i).start();
    }
    begin.countDown();
    try {
      while (!left.await(1, TimeUnit.SECONDS)) {
        everySecond.run();
      }
    } catch (InterruptedException e) {
      control.stop();
      Thread.currentThread().interrupt();
    }
    everySecond.run();
    if (failure.get() instanceof Error error) {
      throw error;
    } else if (failure.get() instanceof RuntimeException e) {
      throw e;
    }
  }

  private void work(Runnable task, CountDownLatch begin, CountDownLatch left) {
    try {
      begin.await();
      task.run();
    } catch (InterruptedException e) {
      control.stop();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      control.stop();
    } finally {
      left.countDown();
    }
  }
}
