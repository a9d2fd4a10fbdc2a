package io.bg3.core.transaction;

import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.Expiry;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.page.PageRead;
import io.bg3.storage.Waiting;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands out ids that were never handed out before, from counters that are logged a block at a time.
 *
 * <p>For each counter the META tree holds, under the key {@code id} and the counter's number as a
 * byte, the first id that no logged block covers, as 8 bytes little-endian. A block is visible, and
 * with {@link io.bg3.core.commit.Durability#SYNC} durable, before its first id is handed out: a
 * client may be told an id whose transaction never commits, and a crash must not hand it out again.
 * It can only make ids unused, at most those left of the block. Closing logs what is really next,
 * and then nothing is skipped.
 *
 * <p>Threads: any; every counter is guarded by its lock.
 */
final class IdAllocator {
  static final int BLOCK = 4_096;
  static final int COUNTERS = 256;

  private static final int SPINS = 64;
  private static final byte[] PREFIX = "id".getBytes(StandardCharsets.US_ASCII);

  private static final class Counter {
    final byte[] key;
    final ReentrantLock lock = new ReentrantLock();
    long next;
    long limit; // as logged and visible

    Counter(byte[] key, long next) {
      this.key = key;
      this.next = next;
      this.limit = next;
    }
  }

  private final Counter[] counters = new Counter[COUNTERS];
  private final Committer committer;
  private final Visibility visibility;

  /** Goes on with what the META tree says. */
  IdAllocator(Committer committer, Visibility visibility, Trees trees) {
    this.committer = committer;
    this.visibility = visibility;
    PageRead read = new PageRead();
    for (int i = 0; i < COUNTERS; i++) {
      byte[] key = {PREFIX[0], PREFIX[1], (byte) i};
      byte[] value = trees.value(TreeIds.META, key, Long.MAX_VALUE, Expiry.NEVER, read);
      counters[i] = new Counter(key, value == null ? 1 : decode(value, i));
    }
  }

  /** Takes {@code count} consecutive ids and returns the first. */
  long allocate(int sequence, int count) {
    if (sequence < 0 || sequence >= COUNTERS || count < 1) {
      throw new IllegalArgumentException(
          "counter must be 0 to 255 and count positive: sequence=" + sequence + ", count=" + count);
    }
    Counter counter = counters[sequence];
    lock(counter);
    try {
      long end = Math.addExact(counter.next, count);
      if (end > counter.limit) {
        Waiting.require("a block of ids");
        long limit = Math.addExact(end, BLOCK - 1);
        visibility.awaitVisible(log(counter, limit).stamp);
        counter.limit = limit;
      }
      long first = counter.next;
      counter.next = end;
      return first;
    } finally {
      counter.lock.unlock();
    }
  }

  /** Another thread may wait for the disk with the lock in hand. */
  private static void lock(Counter counter) {
    for (int spins = 0; spins < SPINS; spins++) {
      if (counter.lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    Waiting.require("an id");
    counter.lock.lock();
  }

  /** Logs what is really next, before the store is closed. */
  void logExactly() {
    for (Counter counter : counters) {
      counter.lock.lock();
      try {
        if (counter.next != counter.limit) {
          log(counter, counter.next);
          counter.limit = counter.next;
        }
      } finally {
        counter.lock.unlock();
      }
    }
  }

  private PendingCommit log(Counter counter, long limit) {
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, counter.key, encode(limit));
    return committer.commitAlone(writes);
  }

  private static byte[] encode(long limit) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(limit).array();
  }

  private static long decode(byte[] value, int sequence) {
    if (value.length != Long.BYTES) {
      throw new CorruptionException(
          "META tree", 0, "8 bytes for id counter " + sequence, value.length + " bytes");
    }
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
