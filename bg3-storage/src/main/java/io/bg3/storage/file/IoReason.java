package io.bg3.storage.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;

/**
 * Tells apart why the system has refused a call. Java keeps the system's error as text only.
 *
 * <p>The texts are those of the C library in English. In another language neither method recognises
 * an error, and the caller treats it as a failure of the device.
 */
public final class IoReason {
  private static final List<String> FULL =
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "Quota exceeded",
          "There is not enough space on the disk");
  private static final List<String> UNSUPPORTED =
      List.of("Invalid argument", "Operation not supported", "Not supported");

  private IoReason() {}

  /** Whether the disk, or what the user may take of it, is full. */
  public static boolean isFull(IOException e) {
    return isOneOf(FULL, e);
  }

  /** Whether the file system cannot do what it was asked for, with any file. */
  static boolean isUnsupported(IOException e) {
    return isOneOf(UNSUPPORTED, e);
  }

  private static boolean isOneOf(List<String> reasons, IOException e) {
    String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
    return reason != null && reasons.stream().anyMatch(reason::contains);
  }
}
