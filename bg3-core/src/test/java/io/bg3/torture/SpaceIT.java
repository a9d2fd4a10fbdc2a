package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.StoreStats;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.RealDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store on a real disk whose keys are written for long, in four ways that take turns. The extents
 * have to stay within the bound all the time, but for what the last checkpoints have appended and
 * the extents that are appended to. The keys, half of which are edges, must be what was written.
 *
 * <p>{@code -Dbg3.torture.space.seconds=N} makes it longer; {@code -Dbg3.seed=N} repeats the
 * writes, but not the moments of the checkpoints.
 */
class SpaceIT {
  private static final int SECONDS = Integer.getInteger("bg3.torture.space.seconds", 12);

  /** Seconds of each way in a turn; a longer run has longer turns, and more of them. */
  private static final int WAY_SECONDS = Math.max(3, SECONDS / 120);

  private static final int WAYS = 4;

  private static final double BOUND = 1.5;
  private static final int EXTENT = 1 << 20;

  /** Extents that are appended to: one of each stream, and those into which images are moved. */
  private static final int OPEN_EXTENTS = 2;

  private static final int KEYS = 100_000;
  private static final int LARGE_KEYS = 4_000;
  private static final int SMALL = 100;
  private static final int LARGE = 4_000;
  private static final int KEYS_OF_A_COMMIT = 50;
  private static final int COMMITS_OF_A_LOOK = 100;
  private static final int EDGES_OF_A_VERTEX = 64;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final int[] versions = new int[KEYS + LARGE_KEYS]; // 0 for a key that is not there
  private final Track pages = new Track("pages", List.of(Stream.BASE, Stream.DELTA));
  private final Track values = new Track("large values", List.of(Stream.VALUE));

  @TempDir Path directory;

  /** The writes of a commit. */
  @FunctionalInterface
  private interface Way {
    /** Says whether there was something to do. */
    boolean write(Transaction transaction);
  }

  /** The space of some streams, looked at while they are written. */
  private static final class Track {
    /** A look: how many checkpoints had ended, and how many bytes had been appended. */
    private record Look(long checkpoints, long appended) {}

    private final String name;
    private final List<Stream> streams;
    private final Deque<Look> looks = new ArrayDeque<>();
    private double most;
    private double sum;
    private long count;

    Track(String name, List<Stream> streams) {
      this.name = name;
      this.streams = streams;
    }

    /** Requires the bound, and what two checkpoints have appended beside it. */
    void look(StoreStats stats, String during) {
      long written = 0;
      long live = 0;
      for (Stream stream : streams) {
        written += stats.streams().get(stream).written();
        live += stats.streams().get(stream).live();
      }
      looks.addLast(new Look(stats.checkpoints(), stats.appendedBytes()));
      while (looks.getFirst().checkpoints < stats.checkpoints() - 2) {
        looks.removeFirst();
      }
      long appended = stats.appendedBytes() - looks.getFirst().appended;
      double ratio = live == 0 ? 1 : (double) written / live;
      most = Math.max(most, ratio);
      sum += ratio;
      count++;
      long allowed =
          (long) (BOUND * live) + appended + (long) streams.size() * OPEN_EXTENTS * EXTENT;
      String state =
          "%s during %s: written=%d, live=%d, appended=%d"
              .formatted(name, during, written, live, appended);
      assertTrue(written <= allowed, state);
    }

    /** Says what was seen since the last time. */
    String said() {
      String said = "%s %.2f, at most %.2f".formatted(name, sum / count, most);
      most = 0;
      sum = 0;
      count = 0;
      return said;
    }
  }

  @Test
  void theExtentsStayWithinTheBoundHoweverLongTheyAreWritten() throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.durability", "none")
            .with("bg3.extent.size", String.valueOf(EXTENT))
            .with("bg3.log.limit", "8m")
            .with("bg3.log.segment.max", "2m")
            .with("bg3.memory.budget", "64m")
            .with("bg3.compression.base", "none")
            .with("bg3.compression.delta", "none")
            .with("bg3.compression.value", "none");
    System.out.println(Seeds.say(seed) + ", seconds=" + SECONDS);
    try (Disk disk = RealDisk.open(directory)) {
      try (StoreOnDisk store = StoreOnDisk.open(settings, disk)) {
        for (int left = SECONDS; left > 0; left -= WAYS * WAY_SECONDS) {
          run(store, "overwrites", this::overwrite);
          run(store, "deletes only", this::deleteOnly);
          run(store, "inserts and deletes of the same keys", this::insertOrDelete);
          run(store, "large values", this::replaceLarge);
          verify(store);
        }
      }
    }
    try (Disk disk = RealDisk.open(directory);
        StoreOnDisk store = StoreOnDisk.open(settings, disk)) {
      verify(store);
      assertEquals(List.of(), store.check(), Seeds.say(seed));
    }
  }

  private void run(StoreOnDisk store, String name, Way way) {
    long nanos = TimeUnit.SECONDS.toNanos(WAY_SECONDS);
    long begin = System.nanoTime();
    fill(store, name);
    int commits = 0;
    while (System.nanoTime() - begin < nanos) {
      boolean any;
      try (Transaction transaction = begin(store, false)) {
        any = way.write(transaction);
        transaction.commit();
      }
      if (!any) {
        fill(store, name);
      }
      if (commits++ % COMMITS_OF_A_LOOK == 0) {
        look(store, name);
      }
    }
    look(store, name);
    System.out.printf("%s: %,d commits; %s; %s%n", name, commits, pages.said(), values.said());
  }

  private void look(StoreOnDisk store, String during) {
    StoreStats stats = store.stats();
    pages.look(stats, during);
    values.look(stats, during);
  }

  /** Writes each key that is not there. */
  private void fill(StoreOnDisk store, String during) {
    int key = 0;
    for (int commits = 0; key < versions.length; commits++) {
      try (Transaction transaction = begin(store, false)) {
        int end = Math.min(versions.length, key + KEYS_OF_A_COMMIT);
        for (; key < end; key++) {
          if (versions[key] == 0) {
            put(transaction, key);
          }
        }
        transaction.commit();
      }
      if (commits % COMMITS_OF_A_LOOK == 0) {
        look(store, during);
      }
    }
  }

  /** Few keys get most of the writes. */
  private boolean overwrite(Transaction transaction) {
    for (int i = 0; i < KEYS_OF_A_COMMIT; i++) {
      put(transaction, (int) (KEYS * Math.pow(random.nextDouble(), 3)));
    }
    return true;
  }

  /** Deletes keys until few are left. */
  private boolean deleteOnly(Transaction transaction) {
    int deleted = 0;
    for (int i = 0; i < KEYS_OF_A_COMMIT; i++) {
      int key = random.nextInt(KEYS);
      if (versions[key] != 0) {
        remove(transaction, key);
        deleted++;
      }
    }
    return deleted > KEYS_OF_A_COMMIT / 20;
  }

  private boolean insertOrDelete(Transaction transaction) {
    for (int i = 0; i < KEYS_OF_A_COMMIT; i++) {
      int key = random.nextInt(KEYS / 2);
      if (versions[key] == 0) {
        put(transaction, key);
      } else {
        remove(transaction, key);
      }
    }
    return true;
  }

  private boolean replaceLarge(Transaction transaction) {
    put(transaction, KEYS + (int) (LARGE_KEYS * Math.pow(random.nextDouble(), 2)));
    return true;
  }

  private void put(Transaction transaction, int key) {
    int version = versions[key] + 1;
    if (isEdge(key)) {
      transaction.putEdge(owner(key), LABEL, key, 0, value(key, version));
    } else {
      transaction.put(TreeIds.PROPERTIES, bytes(key), value(key, version));
    }
    versions[key] = version;
  }

  private void remove(Transaction transaction, int key) {
    if (isEdge(key)) {
      transaction.deleteEdge(owner(key), LABEL, key, 0);
    } else {
      transaction.delete(TreeIds.PROPERTIES, bytes(key));
    }
    versions[key] = 0;
  }

  private void verify(StoreOnDisk store) {
    try (Transaction transaction = begin(store, true)) {
      for (int key = 0; key < versions.length; key++) {
        byte[] expected = versions[key] == 0 ? null : value(key, versions[key]);
        byte[] found =
            isEdge(key)
                ? transaction.edgeValue(owner(key), LABEL, key, 0)
                : transaction.get(TreeIds.PROPERTIES, bytes(key));
        int number = key;
        assertTrue(Arrays.equals(expected, found), () -> Seeds.say(seed) + ", key " + number);
      }
    }
  }

  private static Transaction begin(StoreOnDisk store, boolean readOnly) {
    return store.transactions().begin(Isolation.SNAPSHOT, readOnly);
  }

  private static boolean isEdge(int key) {
    return key % 2 == 0;
  }

  private static long owner(int key) {
    return 1L + key / EDGES_OF_A_VERTEX;
  }

  private static byte[] bytes(int key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  private static byte[] value(int key, int version) {
    byte[] value = new byte[key < KEYS ? SMALL : LARGE];
    new Random(31L * key + version).nextBytes(value);
    return value;
  }
}
