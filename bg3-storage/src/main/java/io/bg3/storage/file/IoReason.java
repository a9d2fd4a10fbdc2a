package io.bg3.storage.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;

/**
 * Tells apart why the system has refused a call. Java keeps the system's error as text only.
 *
 * <p>The texts are those of the C library in English, and a system in another language has others.
 * So a text that is not known decides nothing: the disk is asked whether it has space left, and the
 * callers try again what may be unsupported ({@link DirectReads}).
 */
public final class IoReason {
  private static final List<String> FULL =
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "Quota exceeded",
          "There is not enough space on the disk");

  /**
   * A disk with fewer bytes left is full: a failed append of a large record has taken the rest but
   * for less than a part of it.
   */
  private static final long LEAST_BYTES = 16 << 20;

  private static final List<String> UNSUPPORTED =
      List.of("Invalid argument", "Operation not supported", "Not supported");

  private IoReason() {}

  /**
   * Whether a write has failed because the disk, or what the user may take of it, is full.
   *
   * @param disk that was written to
   */
  public static boolean isFull(IOException e, Disk disk) {
    return isOneOf(FULL, e) || isFull(disk);
  }

  private static boolean isFull(Disk disk) {
    try {
      return disk.usableBytes() < LEAST_BYTES;
    } catch (IOException e) {
      return false; // what cannot be asked is a disk that fails
    }
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
