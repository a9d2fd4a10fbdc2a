package io.bg3.torture;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.file.RealDisk;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The process that {@link KilledProcessIT} kills: opens a store, checks all of it, says what each
 * client had reached, and then commits from several threads, saying so after each commit. Its
 * output goes through a pipe that outlives it.
 *
 * <p>Commit {@code i} of a client writes many keys, all of which follow from {@code i}; so the
 * number it reached says everything that has to be in the store, and that nothing else may be.
 *
 * <pre>
 *   opening                         before the store is opened: a kill from here on falls into recovery
 *   opened MILLIS
 *   state CLIENT LAST               for each client: all of its keys are as after commit LAST
 *   wrong TEXT                      something is not
 *   checked                         the check of all structures was clean
 *   ack CLIENT I                    commit I returned
 * </pre>
 */
public final class CommittingProcess {
  /** Clients, each in a thread of its own. */
  static final int CLIENTS = 4;

  private static final int SLOTS = 200;
  private static final int MEMBER = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int BACK = EdgeKey.tagLabel(EdgeKey.IN, 1);
  private static final int COUNTED = 1;

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private final TransactionManager transactions;

  private CommittingProcess(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /** Takes the directory of the store. */
  public static void main(String[] arguments) throws Exception {
    say("opening");
    long begin = System.nanoTime();
    StoreOnDisk store = StoreOnDisk.open(settings(), RealDisk.open(Path.of(arguments[0])));
    say("opened " + (System.nanoTime() - begin) / 1_000_000);
    CommittingProcess process = new CommittingProcess(store.transactions());
    long[] reached = new long[CLIENTS];
    for (int client = 0; client < CLIENTS; client++) {
      reached[client] = process.verify(client);
    }
    List<String> problems = store.check();
    problems.forEach(problem -> say("wrong " + problem));
    say("checked");
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      new Thread(() -> process.commitForEver(number, reached[number])).start();
    }
  }

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.log.limit", "4m")
        .with("bg3.log.segment.min", "256k")
        .with("bg3.log.segment.max", "1m")
        .with("bg3.extent.size", "1m")
        .with("bg3.page.capacity", "2k")
        .with("bg3.forest.counted-leaves", "2")
        .with("bg3.value.threshold", "512")
        .with("bg3.memory.budget", "256m");
  }

  /** One write a line, so that a kill never leaves a part of one. */
  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the listening process is gone
    }
  }

  private void commitForEver(int client, long reached) {
    for (long i = reached + 1; ; i++) {
      commit(client, i);
      say("ack " + client + " " + i);
    }
  }

  private void commit(int client, long i) {
    try (Transaction transaction = transactions.begin(Isolation.STRICT, false)) {
      int slot = (int) (i % SLOTS);
      byte[] value = value(client, i);
      transaction.put(
          TreeIds.META, last(client), ByteBuffer.allocate(Long.BYTES).putLong(i).array());
      transaction.put(TreeIds.VERTICES, key(client, slot), value);
      transaction.put(TreeIds.EXTERNAL_IDS, key(client, slot), number(i));
      if (i % 3 == 0) { // one in three takes the one before away
        transaction.delete(TreeIds.PROPERTIES, key(client, (int) ((i - 1) % SLOTS)));
      } else {
        transaction.put(TreeIds.PROPERTIES, key(client, slot), number(i));
      }
      transaction.putEdge(owner(client), MEMBER, other(client, slot), 0, number(i));
      transaction.putEdge(other(client, slot), BACK, owner(client), 0, new byte[0]);
      transaction.addTotal(client, 1);
      transaction.addCount(owner(client), COUNTED, 1);
      transaction.commit();
    }
  }

  /** Says and returns how far a client had come. */
  private long verify(int client) {
    try (Transaction transaction = transactions.begin(Isolation.STRICT, true)) {
      byte[] stored = transaction.get(TreeIds.META, last(client));
      long last = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
      expect(client, "total", transaction.total(client), last);
      expect(client, "counter", transaction.count(owner(client), COUNTED), last);
      for (int slot = 0; slot < SLOTS; slot++) {
        long i = last - Math.floorMod(last - slot, SLOTS);
        verifySlot(transaction, client, slot, Math.max(i, 0), last);
      }
      say("state " + client + " " + last);
      return last;
    }
  }

  private void verifySlot(Transaction transaction, int client, int slot, long i, long last) {
    boolean written = i > 0;
    byte[] key = key(client, slot);
    byte[] value = transaction.get(TreeIds.VERTICES, key);
    if (!Arrays.equals(value, written ? value(client, i) : null)) {
      say("wrong value of client " + client + " in slot " + slot + " after " + last);
    }
    expect(client, "number " + slot, number(transaction.get(TreeIds.EXTERNAL_IDS, key)), i);
    expect(
        client,
        "property " + slot,
        number(transaction.get(TreeIds.PROPERTIES, key)),
        property(i, last));
    byte[] edge = transaction.edgeValue(owner(client), MEMBER, other(client, slot), 0);
    expect(client, "edge " + slot, number(edge), i);
    boolean back = transaction.edgeExists(other(client, slot), BACK, owner(client), 0);
    expect(client, "way back " + slot, back ? 1 : 0, written ? 1 : 0);
  }

  /**
   * The commit whose value stands in the PROPERTIES tree for a slot last written by commit i: 0 for
   * none.
   */
  private static long property(long i, long last) {
    for (long commit = i; commit > 0; commit -= SLOTS) {
      if (commit % 3 == 2 && commit + 1 <= last) {
        return 0; // the next one took it away
      } else if (commit % 3 != 0) {
        return commit;
      }
    }
    return 0;
  }

  private static void expect(int client, String what, long found, long expected) {
    if (found != expected) {
      say("wrong " + what + " of client " + client + ": found=" + found + ", expected=" + expected);
    }
  }

  private static byte[] last(int client) {
    return ("last" + client).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] key(int client, int slot) {
    return ByteBuffer.allocate(10).putLong(1000L * slot + client).putShort((short) slot).array();
  }

  private static long owner(int client) {
    return client + 1L;
  }

  private static long other(int client, int slot) {
    return 1000L * (client + 1) + slot;
  }

  private static byte[] value(int client, long i) {
    Random random = new Random(31 * i + client);
    byte[] value =
        new byte[random.nextInt(10) == 0 ? 600 + random.nextInt(3000) : random.nextInt(100)];
    random.nextBytes(value);
    return value;
  }

  private static byte[] number(long i) {
    return ByteBuffer.allocate(Long.BYTES).putLong(i).array();
  }

  private static long number(byte[] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
