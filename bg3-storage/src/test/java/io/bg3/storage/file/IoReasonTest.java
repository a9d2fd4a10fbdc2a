package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

/** The reasons that the system gives, in the exceptions that Java makes of them. */
class IoReasonTest {
  @Test
  void aFullDiskIsToldFromAFailingOne() {
    assertTrue(IoReason.isFull(new IOException("No space left on device")));
    assertTrue(IoReason.isFull(new FileSystemException("f", null, "Disk quota exceeded")));
    assertFalse(IoReason.isFull(new IOException("Input/output error")));
    assertFalse(IoReason.isFull(new FileSystemException("f", null, "Too many open files")));
    assertFalse(IoReason.isFull(new IOException()));
  }

  /** The name of a file is not a reason. */
  @Test
  void onlyTheReasonCounts() {
    assertFalse(IoReason.isFull(new FileSystemException("No space left on device")));
    assertFalse(IoReason.isUnsupported(new FileSystemException("Invalid argument", null, "x")));
    assertTrue(IoReason.isUnsupported(new FileSystemException("f", null, "Invalid argument")));
  }
}
