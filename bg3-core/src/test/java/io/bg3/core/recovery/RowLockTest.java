package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.StoreFailedException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Works under the lock with a source that remembers what it is told, and a clock that is set. */
class RowLockTest {
  private final List<String> told = new ArrayList<>();
  private Throwable failure;
  private long now = 1_000;
  private final RowLock lock = new RowLock(source(), () -> now);

  private CheckpointSource source() {
    return (CheckpointSource)
        Proxy.newProxyInstance(
            CheckpointSource.class.getClassLoader(),
            new Class<?>[] {CheckpointSource.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "failure" -> {
                  return failure;
                }
                case "commitsWait" -> {
                  return false;
                }
                case "fail" -> failure = (Throwable) arguments[0];
                default -> {}
              }
              told.add(method.getName());
              return null;
            });
  }

  @Test
  void theSourceIsToldOfWork() throws IOException {
    assertEquals("done", lock.hold(() -> "done"));
    assertEquals(List.of("workBegins", "workEnds"), told);
  }

  @Test
  void aFailureOfTheWorkIsThatOfTheStore() {
    IOException planted = new IOException("planted");
    assertThrows(
        IOException.class,
        () ->
            lock.hold(
                () -> {
                  throw planted;
                }));
    assertSame(planted, failure);
    assertEquals(List.of("workBegins", "fail", "workEnds"), told);
    assertTrue(lock.isAwaited(), "the store is to be closed");
    assertThrows(StoreFailedException.class, () -> lock.hold(() -> "more"));
    assertTrue(lock.look(() -> true), "what failed can be looked at");
  }

  @Test
  void nothingIsDoneBehindTheEnd() {
    lock.end();
    assertThrows(IllegalStateException.class, () -> lock.hold(() -> "more"));
    assertThrows(IllegalStateException.class, () -> lock.look(() -> true));
    assertEquals(List.of(), told);
  }

  @Test
  void pausesAndLooksAreNoWork() throws IOException {
    lock.hold(() -> now += 3);
    lock.look(() -> (now += 100) > 0);
    long worked =
        lock.hold(
            () -> {
              now += 4;
              lock.pause(() -> now += 1_000);
              now += 5;
              return lock.takeWorked();
            });
    assertEquals(3 + 4 + 5, worked);
    assertEquals(2, lock.hold(() -> (now += 2) > 0 ? lock.takeWorked() : -1));
  }
}
