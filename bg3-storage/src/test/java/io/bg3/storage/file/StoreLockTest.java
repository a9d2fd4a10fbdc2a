package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes the lock from this process and from others, which are real ones. */
class StoreLockTest {
  @TempDir Path directory;

  /**
   * The main method of the other process: tries to take the lock, prints the outcome, and keeps the
   * lock until its input ends.
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    boolean shared = arguments.length > 1;
    try (StoreLock lock =
        shared ? StoreLock.acquireShared(directory) : StoreLock.acquire(directory)) {
      System.out.println("taken " + (lock != null));
      System.in.read();
    } catch (StoreInUseException e) {
      System.out.println(e.getMessage());
    }
  }

  @Test
  void aSecondOpeningInThisProcessIsRefusedUntilTheFirstIsClosed() throws IOException {
    StoreLock lock = StoreLock.acquire(directory);
    StoreInUseException refusal =
        assertThrows(StoreInUseException.class, () -> StoreLock.acquire(directory));
    assertEquals(ProcessHandle.current().pid(), refusal.pid());
    lock.close();
    lock.close();
    StoreLock.acquire(directory).close();
  }

  @Test
  void anotherProcessIsToldWhoHasTheStore() throws Exception {
    try (StoreLock lock = StoreLock.acquire(directory)) {
      // Must not give up the lock that this process has.
      assertThrows(StoreInUseException.class, () -> StoreLock.acquire(directory));
      Process other = start();
      String answer = answer(other);
      assertTrue(answer.contains("pid=" + ProcessHandle.current().pid()), answer);
      assertTrue(answer.contains("host=" + LockHolder.self().host()), answer);
      assertTrue(answer.contains("directory=" + directory.toRealPath()), answer);
      other.waitFor();
      assertTrue(lock != null);
    }
  }

  @Test
  void aKilledProcessLeavesTheStoreFree() throws Exception {
    Process other = start();
    assertEquals("taken true", answer(other));
    StoreInUseException refusal =
        assertThrows(StoreInUseException.class, () -> StoreLock.acquire(directory));
    assertEquals(other.pid(), refusal.pid());
    other.destroyForcibly().waitFor();
    StoreLock.acquire(directory).close();
  }

  @Test
  void anInterruptedThreadTakesAndKeepsTheLock() throws Exception {
    Thread.currentThread().interrupt();
    try (StoreLock lock = StoreLock.acquire(directory)) {
      assertTrue(Thread.interrupted());
      assertTrue(answer(start()).contains("store is in use"));
      assertTrue(lock != null);
    }
  }

  @Test
  void severalProcessesMayReadAndNoneMayWriteMeanwhile() throws Exception {
    StoreLock.acquire(directory).close();
    byte[] before = Files.readAllBytes(directory.resolve("lock"));
    try (StoreLock lock = StoreLock.acquireShared(directory)) {
      assertTrue(lock != null);
      String writer = answer(start());
      assertTrue(writer.contains("store is in use"), writer);
      Process reader = start("shared");
      assertEquals("taken true", answer(reader));
      reader.destroyForcibly().waitFor();
      assertThrows(StoreInUseException.class, () -> StoreLock.acquire(directory));
    }
    assertArrayEquals(before, Files.readAllBytes(directory.resolve("lock")));
    Process writer = start();
    assertEquals("taken true", answer(writer));
    StoreInUseException refusal =
        assertThrows(StoreInUseException.class, () -> StoreLock.acquireShared(directory));
    assertEquals(writer.pid(), refusal.pid());
    writer.destroyForcibly().waitFor();
  }

  @Test
  void aReaderMakesNoLockFile() throws IOException {
    StoreLock.acquireShared(directory).close();
    assertFalse(Files.exists(directory.resolve("lock")));
  }

  @Test
  void aRefusedOpeningPutsBackWhatTheFileHeld() throws IOException {
    byte[] before = {1, 2, 3};
    Files.write(directory.resolve("lock"), before);
    try (StoreLock lock = StoreLock.acquire(directory)) {
      lock.undo();
    }
    assertArrayEquals(before, Files.readAllBytes(directory.resolve("lock")));
  }

  @Test
  void theLockFileReadsAsDocumented() throws IOException {
    try (StoreLock lock = StoreLock.acquire(directory)) {
      assertTrue(lock != null);
      byte[] bytes = Files.readAllBytes(directory.resolve("lock"));
      assertEquals(256, bytes.length);
      String text = new String(bytes, StandardCharsets.US_ASCII);
      LockHolder self = LockHolder.self();
      assertTrue(
          text.startsWith("BG3 lock 1\npid " + self.pid() + "\nhost " + self.host() + "\n "), text);
      assertTrue(text.endsWith(" \n"), text);
      assertEquals(self, LockHolder.decode(bytes));
    }
  }

  @Test
  void aDamagedLockFileNamesNobodyAndBreaksNothing() throws IOException {
    Random random = new Random(5);
    byte[] valid = LockHolder.self().encode();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = random.nextBoolean() ? valid.clone() : new byte[random.nextInt(300)];
      if (bytes.length != LockHolder.BYTES) {
        random.nextBytes(bytes);
      } else {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      LockHolder holder = LockHolder.decode(bytes);
      assertTrue(holder.equals(LockHolder.NOBODY) || holder.pid() > 0);
    }
    Files.write(directory.resolve("lock"), new byte[] {1, 2, 3});
    StoreLock.acquire(directory).close();
  }

  private Process start(String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xshare:auto");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(StoreLockTest.class.getName());
    command.add(directory.toString());
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String answer(Process process) throws IOException {
    return new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
  }
}
