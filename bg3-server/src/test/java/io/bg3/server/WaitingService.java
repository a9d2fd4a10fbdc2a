package io.bg3.server;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceCallContext;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceFactory;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * A service that answers when the test lets it; whether an interrupt ends it is the test's choice.
 */
@SuppressWarnings("rawtypes") // as the interfaces of services have it
final class WaitingService implements ServiceFactory<Object, Object>, Service<Object, Object> {
  private static final long PATIENCE_SECONDS = 300;

  private final String name;
  private final boolean isStubborn;
  private final Semaphore called = new Semaphore(0);
  private final Semaphore goOn = new Semaphore(0);

  /**
   * @param isStubborn whether it goes on when it is interrupted
   */
  WaitingService(String name, boolean isStubborn) {
    this.name = name;
    this.isStubborn = isStubborn;
  }

  /** Waits until it has been called once more. */
  void awaitCall() throws InterruptedException {
    if (!called.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it is not called: service=" + name);
    }
  }

  /** How often it was called, but for the calls that were waited for. */
  int calls() {
    return called.availablePermits();
  }

  /** Lets so many calls answer. */
  void letGo(int calls) {
    goOn.release(calls);
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public Type getType() {
    return Type.Streaming;
  }

  @Override
  public Set<Type> getSupportedTypes() {
    return Set.of(Type.Streaming);
  }

  @Override
  public Service<Object, Object> createService(boolean isStart, Map params) {
    return this;
  }

  @Override
  public CloseableIterator<Object> execute(
      ServiceCallContext context, Traverser.Admin<Object> in, Map params) {
    called.release();
    if (isStubborn) {
      goOn.acquireUninterruptibly();
    } else {
      try {
        goOn.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TraversalInterruptedException();
      }
    }
    return CloseableIterator.of(List.<Object>of(1).iterator());
  }

  @Override
  public void close() {}
}
