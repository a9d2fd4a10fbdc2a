package io.bg3.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParallelTasksTest {
  private static final List<Integer> ITEMS = IntStream.range(0, 16).boxed().toList();

  private final Set<Integer> ended = new ConcurrentSkipListSet<>();

  @Test
  void everyTaskIsDoneOnce() {
    ParallelTasks.run(ITEMS, this::end);
    assertEquals(Set.copyOf(ITEMS), ended);
  }

  @Test
  void allTasksHaveEndedWhenAFailureIsThrown() {
    RuntimeException thrown =
        assertThrows(IllegalStateException.class, () -> ParallelTasks.run(ITEMS, this::failOdd));
    assertEquals(ITEMS.stream().filter(i -> i % 2 == 0).collect(Collectors.toSet()), ended);
    List<String> messages =
        Stream.concat(Stream.of(thrown), Arrays.stream(thrown.getSuppressed()))
            .map(Throwable::getMessage)
            .sorted()
            .toList();
    assertEquals(
        ITEMS.stream().filter(i -> i % 2 == 1).map(String::valueOf).sorted().toList(), messages);
  }

  @Test
  void anErrorIsThrownAsItIs() {
    AssertionError error = new AssertionError("planted");
    assertEquals(
        error,
        assertThrows(
            AssertionError.class,
            () ->
                ParallelTasks.run(
                    ITEMS,
                    i -> {
                      throw error;
                    })));
    assertEquals(0, error.getSuppressed().length);
  }

  private void failOdd(int item) {
    if (item % 2 == 1) {
      throw new IllegalStateException(String.valueOf(item));
    }
    LockSupport.parkNanos(5_000_000); // so that others fail before this one has ended
    end(item);
  }

  private void end(int item) {
    ended.add(item);
  }
}
