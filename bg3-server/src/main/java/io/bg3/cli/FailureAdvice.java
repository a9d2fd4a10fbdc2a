package io.bg3.cli;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FormatTooNewException;
import io.bg3.storage.format.FormatTooOldException;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.Optional;

/**
 * Explains a failure of the store to the user of the command line: which data is lost, which is
 * kept, and what to do next.
 */
final class FailureAdvice {
  private static final String BACKUP =
      "Keep a copy of the directory as it is, and put a backup of the whole directory in its"
          + " place.";

  private FailureAdvice() {}

  /** Returns the advice for a failure or one of its causes; empty if there is none. */
  static Optional<String> of(Throwable failure) {
    if (failure instanceof NothingLoadedException) {
      return Optional.empty(); // says itself what to do, and no data is kept
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnreadableException unreadable) {
        return Optional.of(unreadable(unreadable));
      } else if (cause instanceof MemoryExceededException) {
        return Optional.of(
            "The store needs more memory outside the heap, and no file was changed. Raise"
                + " bg3.memory.budget where it is set, else BG3_DIRECT (such as 4g) for bin/bg3, or"
                + " -XX:MaxDirectMemorySize for a program of your own.");
      } else if (cause instanceof OutOfMemoryError) {
        return Optional.of(
            "Java's heap is too small: BG3_HEAP (such as 2g) sets it for bin/bg3, -Xmx for a"
                + " program of your own.");
      } else if (isFull(cause)) {
        return Optional.of(
            "The disk is full. All committed data is kept: free some space and continue. Meanwhile"
                + " 'bg3 stats', 'bg3 check' and 'bg3 export' to another disk read the store, and"
                + " bg3.read.only=true lets a server or the console do so.");
      }
    }
    return Optional.empty();
  }

  private static boolean isFull(Throwable cause) {
    String message = cause.getMessage();
    return message != null
        && (message.contains("No space left on device")
            || message.contains("Disk quota exceeded")
            || message.contains("not enough space on the disk"));
  }

  private static String unreadable(UnreadableException damage) {
    if (damage instanceof FormatTooNewException) {
      return "A newer version of BG3 has written the store, and no file was changed: use that"
          + " version.";
    } else if (damage instanceof FormatTooOldException) {
      return "An older version of BG3 has written the store, and no file was changed: export the"
          + " graph with that version and load it with this one.";
    }
    return corrupt((CorruptionException) damage);
  }

  private static String corrupt(CorruptionException damage) {
    String file = damage.file().replaceAll(".*[/\\\\:]", ""); // of a path, or memory:name
    if (file.startsWith("manifest")) {
      return "The manifest names all other files, so no data can be found without it; no file"
          + " was changed. If the file was moved, put it back. Otherwise: "
          + BACKUP;
    } else if (file.startsWith("log-")) {
      return "The commits since the last checkpoint are in the log and cannot be read without"
          + " it; no file was changed. If the file was moved, put it back. Otherwise: "
          + BACKUP;
    } else if (file.startsWith("extent-map") || file.startsWith("MAP")) {
      return "The page table is in this file, so no page can be found without it; no file was"
          + " changed. If the file was moved, put it back. Otherwise: "
          + BACKUP;
    }
    return "The data at this place of the file is lost, other data is not: 'bg3 check' lists all"
        + " damage. If the file was moved, put it back. Otherwise: "
        + BACKUP;
  }
}
