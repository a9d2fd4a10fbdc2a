package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.ValueView;
import io.bg3.core.tree.Neighbours;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Reading through a transaction allocates nothing for an entry that is scanned or asked to be
 * there, also where its value is viewed, and nothing but the value for one that is looked up; and
 * little for the transaction and the scan. Counted in a virtual machine of its own, because the
 * checks of memory that tests run with make a view of each block that is read.
 */
class ReadAllocationTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final long LONG_LIST = 1;
  private static final int ENTRIES = 100_000;
  private static final int OWNERS = 2_000;
  private static final int TRANSACTIONS = 20_000;
  private static final int DEGREE = 5;
  private static final int VALUE = 24;
  private static final int VALUE_ON_HEAP = 16 + VALUE;

  /** Bytes of a transaction that only reads. */
  private static final int TRANSACTION = 160;

  /** Bytes of a cursor, and of the bounds of its range. */
  private static final int CURSOR = 512;

  /** Bytes that a read may allocate once, whatever it finds. */
  private static final int SLACK = 64 << 10;

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  @Test
  void readsAllocateNothingForAnEntry() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ReadAllocationTest.class.getName())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  /** Counts, and ends with 1 if too much is allocated for longer than it takes to be compiled. */
  public static void main(String[] args) throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults().with(Setting.MEMORY_BUDGET, "64m"))) {
      write(store);
      Neighbours neighbours = new Neighbours();
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        check(
            "a long list",
            ENTRIES,
            0,
            () -> {
              reader.neighbours(LONG_LIST, OUT, Integer.MAX_VALUE, neighbours);
              return neighbours.size();
            });
        check("short lists", OWNERS, 0, () -> scanShort(reader, neighbours));
        check("values", OWNERS * DEGREE, VALUE_ON_HEAP, () -> look(reader));
        check("presence", OWNERS, 0, () -> count(reader));
        check("scans with values", OWNERS, CURSOR, () -> scanValues(reader));
        check("counted entries", ENTRIES, 0, () -> skipLong(reader));
      }
      check("transactions", TRANSACTIONS, TRANSACTION, () -> begin(store));
    }
  }

  private static void write(Bg3 store) {
    for (long first = 0; first < ENTRIES; first += 1_000) {
      try (Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
        for (long other = first; other < first + 1_000; other++) {
          writer.putEdge(LONG_LIST, OUT, other, 0, new byte[0]);
        }
        writer.commit();
      }
    }
    try (Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
      for (long owner = 2; owner < 2 + OWNERS; owner++) {
        for (long other = 0; other < DEGREE; other++) {
          writer.putEdge(owner, OUT, other, 0, new byte[VALUE]);
        }
        writer.put(TreeIds.VERTICES, key(owner), new byte[VALUE]);
      }
      writer.commit();
    }
  }

  private static long scanShort(Transaction reader, Neighbours neighbours) {
    long lists = 0;
    for (long owner = 2; owner < 2 + OWNERS; owner++) {
      reader.neighbours(owner, OUT, Integer.MAX_VALUE, neighbours);
      lists += neighbours.size() == DEGREE ? 1 : 0;
    }
    return lists;
  }

  private static long look(Transaction reader) {
    long found = 0;
    for (long owner = 2; owner < 2 + OWNERS; owner++) {
      for (long other = 0; other < DEGREE; other++) {
        byte[] value = reader.edgeValue(owner, OUT, other, 0);
        found += value != null && value.length == VALUE ? 1 : 0;
      }
    }
    return found;
  }

  private static long scanValues(Transaction reader) {
    ValueView value = new ValueView();
    long lists = 0;
    for (long owner = 2; owner < 2 + OWNERS; owner++) {
      int bytes = 0;
      try (EdgeCursor edges = reader.edges(owner, OUT, OUT, true, ScanOrder.FORWARD)) {
        while (edges.next()) {
          edges.value(value);
          bytes += value.length();
        }
      }
      lists += bytes == DEGREE * VALUE ? 1 : 0;
    }
    return lists;
  }

  private static long skipLong(Transaction reader) {
    try (EdgeCursor edges = reader.edges(LONG_LIST, OUT, OUT, false, ScanOrder.FORWARD)) {
      return edges.skip(Integer.MAX_VALUE);
    }
  }

  private static long begin(Bg3 store) {
    long begun = 0;
    for (int i = 0; i < TRANSACTIONS; i++) {
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        begun += reader.isOpen() ? 1 : 0;
      }
    }
    return begun;
  }

  private static long count(Transaction reader) {
    // One view of the key for all reads: not every compiler leaves a view of each out.
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES);
    long present = 0;
    for (long owner = 2; owner < 2 + OWNERS; owner++) {
      key.putLong(0, owner);
      present += reader.exists(TreeIds.VERTICES, key.array()) ? 1 : 0;
    }
    return present;
  }

  private static byte[] key(long vertex) {
    return ByteBuffer.allocate(Long.BYTES).putLong(vertex).array();
  }

  /** Repeats a pass until one allocates no more than it may. */
  private static void check(String what, int expected, int each, LongSupplier pass) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long end = System.nanoTime() + PATIENCE_NANOS;
    long least = Long.MAX_VALUE;
    while (least > (long) expected * each + SLACK) {
      long before = threads.getThreadAllocatedBytes(thread);
      long found = pass.getAsLong();
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
      if (found != expected) {
        throw new IllegalStateException(what + ": found=" + found + ", expected=" + expected);
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException(what + ": bytes=" + least + ", reads=" + expected);
      }
    }
    System.out.println(what + ": bytes=" + least + ", reads=" + expected);
  }
}
