package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;

/** A graph in memory whose commits take until the test lets them succeed or fail. */
final class SlowCommits {
  private static final long PATIENCE_MILLIS = 300_000;

  private final Bg3Graph graph = Bg3Graph.open();
  private final Semaphore committing = new Semaphore(0);
  private final BlockingQueue<Boolean> outcomes = new LinkedBlockingQueue<>();

  /** The graph to be served; closed by the server. */
  Graph served() {
    Transaction slow =
        (Transaction)
            Proxy.newProxyInstance(
                SlowCommits.class.getClassLoader(),
                new Class<?>[] {Transaction.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("commit") && !outcome()) {
                    graph.tx().rollback();
                    throw new IllegalStateException("the disk is full");
                  }
                  return invoke(graph.tx(), method, arguments);
                });
    return (Graph)
        Proxy.newProxyInstance(
            SlowCommits.class.getClassLoader(),
            new Class<?>[] {Graph.class},
            (proxy, method, arguments) ->
                method.getName().equals("tx") && arguments == null
                    ? slow
                    : invoke(graph, method, arguments));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private boolean outcome() {
    committing.release();
    boolean interrupted = false;
    while (true) {
      try {
        boolean outcome = outcomes.take();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return outcome;
      } catch (InterruptedException e) {
        interrupted = true; // as a commit, it goes on
      }
    }
  }

  /** Waits until a commit has begun. */
  void awaitCommit() throws InterruptedException {
    if (!commits(PATIENCE_MILLIS)) {
      throw new AssertionError("no commit begins");
    }
  }

  /** Waits for a time at most; returns whether a commit has begun. */
  boolean commits(long millis) throws InterruptedException {
    return committing.tryAcquire(millis, TimeUnit.MILLISECONDS);
  }

  /** Lets a commit end. */
  void letCommit(boolean success) {
    outcomes.add(success);
  }
}
