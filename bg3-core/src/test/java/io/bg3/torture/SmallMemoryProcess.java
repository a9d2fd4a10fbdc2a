package io.bg3.torture;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * The process that {@link SmallMemoryIT} kills: fills a store with many times its memory budget, or
 * finds it filled, compares all of it with what the clients had reached, and then reads and updates
 * keys all over it, saying so after each commit.
 *
 * <p>Commit {@code i} of a client adds one to the versions of a few keys that follow from {@code
 * i}, and stores {@code i}; so the number that a client reached says what is in the store. A value
 * follows from its key and its version.
 *
 * <pre>
 *   opened MILLIS         the store is open
 *   filled KEYS MILLIS    every key has been written
 *   state CLIENT LAST     the last commit of a client, and all keys are as it left them
 *   ack CLIENT I          commit I returned
 *   memory KIB            the most that the process had in memory, as the system tells it
 *   wrong TEXT            something failed
 * </pre>
 */
public final class SmallMemoryProcess {
  /** Clients, each in a thread of its own. */
  static final int CLIENTS = 3;

  /** Commits of a client after which it says what the process has in memory. */
  private static final int REPORT = 200;

  private static final int VALUE = 900;
  private static final int KEY = Integer.BYTES;
  private static final int KEYS_OF_A_COMMIT = 4;
  private static final int KEYS_OF_A_FILL = 100;

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private final Bg3 store;
  private final int keys;

  private SmallMemoryProcess(Bg3 store, int keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Takes the directory of the store, the memory budget and the data in it, in MiB. */
  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.defaults()
            .with("bg3.directory", arguments[0])
            .with("bg3.memory.budget", arguments[1] + "m");
    int keys = (int) ((Long.parseLong(arguments[2]) << 20) / (VALUE + KEY)) / CLIENTS * CLIENTS;
    try {
      long begin = System.nanoTime();
      SmallMemoryProcess process = new SmallMemoryProcess(Bg3.open(settings), keys);
      say("opened " + millisSince(begin));
      process.run();
    } catch (Exception | Error e) {
      fail(e);
    }
  }

  private void run() throws IOException {
    if (last(0) < 0) {
      fill();
    }
    long[] reached = verify();
    sayMemory();
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      new Thread(() -> updateForEver(number, reached[number])).start();
    }
  }

  private static long millisSince(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** One write a line, so that a kill never leaves a part of one. */
  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fail(Throwable failure) {
    say("wrong " + failure.toString().replace('\n', ' '));
    failure.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  /** Says how much memory the process had at most, where the system tells it. */
  private static void sayMemory() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (Files.exists(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmHWM:")) {
          say("memory " + line.replaceAll("[^0-9]", ""));
        }
      }
    }
  }

  private void fill() {
    long begin = System.nanoTime();
    for (int key = 0; key < keys; key += KEYS_OF_A_FILL) {
      try (Transaction transaction = begin(false)) {
        for (int k = key; k < Math.min(keys, key + KEYS_OF_A_FILL); k++) {
          transaction.put(TreeIds.VERTICES, bytes(k), value(k, 0));
        }
        transaction.commit();
      }
    }
    try (Transaction transaction = begin(false)) {
      for (int client = 0; client < CLIENTS; client++) {
        transaction.put(TreeIds.META, name(client), ByteBuffer.allocate(Long.BYTES).array());
      }
      transaction.commit();
    }
    say("filled " + keys + " " + millisSince(begin));
  }

  /** Compares every key with what the clients had reached, and says that. */
  private long[] verify() {
    long[] reached = new long[CLIENTS];
    int[] versions = new int[keys];
    for (int client = 0; client < CLIENTS; client++) {
      reached[client] = last(client);
      for (long i = 1; i <= reached[client]; i++) {
        for (int key : keysOf(client, i)) {
          versions[key]++;
        }
      }
    }
    int key = 0;
    try (Transaction transaction = begin(true);
        ByteCursor cursor = transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        if (!Arrays.equals(bytes(key), cursor.key())
            || !Arrays.equals(value(key, versions[key]), cursor.value())) {
          throw new AssertionError("lost or changed: key=" + key + ", version=" + versions[key]);
        }
        key++;
      }
    }
    if (key != keys) {
      throw new AssertionError("keys=" + keys + ", found=" + key);
    }
    for (int client = 0; client < CLIENTS; client++) {
      say("state " + client + " " + reached[client]);
    }
    return reached;
  }

  private void updateForEver(int client, long reached) {
    try {
      for (long i = reached + 1; ; i++) {
        update(client, i);
        say("ack " + client + " " + i);
        if (client == 0 && i % REPORT == 0) {
          sayMemory();
        }
      }
    } catch (RuntimeException | Error | IOException e) {
      fail(e);
    }
  }

  private void update(int client, long i) {
    try (Transaction transaction = begin(false)) {
      for (int key : keysOf(client, i)) {
        byte[] value = transaction.get(TreeIds.VERTICES, bytes(key));
        transaction.put(
            TreeIds.VERTICES, bytes(key), value(key, ByteBuffer.wrap(value).getInt() + 1));
      }
      byte[] last = ByteBuffer.allocate(Long.BYTES).putLong(i).array();
      transaction.put(TreeIds.META, name(client), last);
      transaction.commit();
    }
  }

  private Transaction begin(boolean readOnly) {
    return store.transactions().begin(Isolation.SNAPSHOT, readOnly);
  }

  /** The last commit of a client; -1 if the store has not been filled. */
  private long last(int client) {
    try (Transaction transaction = begin(true)) {
      byte[] stored = transaction.get(TreeIds.META, name(client));
      return stored == null ? -1 : ByteBuffer.wrap(stored).getLong();
    }
  }

  /** The keys, all different, that a commit changes: no other client changes them. */
  private int[] keysOf(int client, long i) {
    return new Random(31 * i + client)
        .ints(0, keys / CLIENTS)
        .distinct()
        .limit(KEYS_OF_A_COMMIT)
        .map(key -> key * CLIENTS + client)
        .toArray();
  }

  private static byte[] name(int client) {
    return ("client " + client).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(int key) {
    return ByteBuffer.allocate(KEY).putInt(key).array();
  }

  /** The version, and bytes that follow from key and version. */
  private static byte[] value(int key, int version) {
    byte[] random = new byte[VALUE - Integer.BYTES];
    new Random(31L * key + version).nextBytes(random);
    return ByteBuffer.allocate(VALUE).putInt(version).put(random).array();
  }
}
