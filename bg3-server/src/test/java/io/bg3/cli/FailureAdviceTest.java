package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FormatTooNewException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Says what failures mean, however deep they lie. */
class FailureAdviceTest {
  @Test
  void aFullDiskLeavesTheStoreReadable() {
    IOException full = new FileSystemException("f", null, "No space left on device");
    assertAdvice(full, "free some space", "bg3 export", "bg3.read.only=true");
  }

  /** Then no committed data is kept, and the exception says what to do. */
  @Test
  void aSortedLoadThatEndsEarlyHasNone() {
    IOException full = new FileSystemException("f", null, "No space left on device");
    assertEquals(Optional.empty(), FailureAdvice.of(new NothingLoadedException("it failed", full)));
  }

  @Test
  void tooLittleMemoryNamesWhatGivesMore() {
    assertAdvice(
        new MemoryExceededException("no", "s", 1, 2, 3), "BG3_DIRECT", "bg3.memory.budget");
    assertAdvice(new OutOfMemoryError("Java heap space"), "BG3_HEAP");
  }

  @Test
  void damageSaysWhatIsLost() {
    assertAdvice(damage("/data/manifest"), "no data can be found", "backup");
    assertAdvice(damage("/data/log-0000000000000000"), "since the last checkpoint", "backup");
    assertAdvice(damage("/data/extent-map-00000001"), "page table", "backup");
    assertAdvice(damage("/data/extent-base-00000001"), "other data is not", "bg3 check");
    assertAdvice(new FormatTooNewException("/data/manifest", 2, 1), "newer version");
  }

  @Test
  void othersHaveNone() {
    assertEquals(Optional.empty(), FailureAdvice.of(new IOException("connection refused")));
    assertEquals(Optional.empty(), FailureAdvice.of(new IOException()));
  }

  private static CorruptionException damage(String file) {
    return new CorruptionException(file, 0, "this", "that");
  }

  private static void assertAdvice(Throwable failure, String... parts) {
    String advice = FailureAdvice.of(new IOException("it failed", failure)).orElseThrow();
    for (String part : parts) {
      assertTrue(advice.contains(part), advice);
    }
  }
}
