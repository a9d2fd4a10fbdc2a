package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bg3.core.commit.Durability;
import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.format.Varints;
import io.bg3.testing.Seeds;
import io.bg3.torture.Found;
import io.bg3.torture.ModelClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Leaves steps of a checkpoint out while clients commit, cuts the power, and expects what the next
 * opening finds to be wrong: half of a commit, or a total that is not what it counts. The engine as
 * it is comes out clean from the same lives.
 */
class CheckpointFaultsTest {
  private static final int CLIENTS = 3;
  private static final int STEPS = 60;
  private static final int LIVES = 15;
  private static final int LIVES_OF_A_TWIN = 400;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);

  /** Replaces the manifest as if the log were durable. */
  private static final class WithoutLogSync extends CheckpointedStore.Steps {
    @Override
    long syncLog(TransactionManager transactions) {
      return 0;
    }
  }

  /** Stores totals without the stamp that they are of, so that replay adds to them again. */
  private static final class TotalsWithoutStamp extends CheckpointedStore.Steps {
    @Override
    TotalsImage totals(TransactionManager transactions, ReplayStart start) {
      TotalsImage image = super.totals(transactions, start);
      ByteBuffer bytes = image.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
      Varints.get(bytes);
      ByteBuffer without = ByteBuffer.allocate(bytes.remaining() + 1);
      without.put((byte) 0).put(bytes).flip();
      return new TotalsImage(0, without);
    }
  }

  @Test
  void rule1AManifestBeforeTheLogIsFoundByHalfACommit() throws Exception {
    assertNull(wrongAfter(LIVES, Durability.NONE, new CheckpointedStore.Steps()), this::seed);
    assertNotNull(wrongAfter(LIVES_OF_A_TWIN, Durability.NONE, new WithoutLogSync()), this::seed);
  }

  @Test
  void rule16ATotalThatIsCountedTwiceAfterRecoveryIsFoundByCounting() throws Exception {
    assertNull(wrongAfter(LIVES, Durability.SYNC, new CheckpointedStore.Steps()), this::seed);
    assertNotNull(
        wrongAfter(LIVES_OF_A_TWIN, Durability.SYNC, new TotalsWithoutStamp()), this::seed);
  }

  private String seed() {
    return "-Dbg3.seed=" + seed;
  }

  /** The message of the first opening that finds something wrong; null if none does. */
  private String wrongAfter(int lives, Durability durability, CheckpointedStore.Steps steps)
      throws Exception {
    List<ModelClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ModelClient(i, durability == Durability.SYNC, random.nextLong()));
    }
    CrashingDisk disk = new CrashingDisk();
    for (int life = 0; life < lives; life++) {
      CheckpointedStore store = new CheckpointedStore(disk, durability, steps);
      try {
        Found found = Found.in(store.transactions(), CLIENTS);
        for (ModelClient client : clients) {
          String wrong = client.settle(found);
          if (wrong != null) {
            return "life " + life + ": " + wrong;
          }
        }
        work(store, clients);
      } finally {
        disk = disk.crash(random);
        store.abandon();
      }
    }
    return null;
  }

  /** Commits from several threads, and flushes pages and takes checkpoints meanwhile. */
  private void work(CheckpointedStore store, List<ModelClient> clients)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (ModelClient client : clients) {
      Thread thread = new Thread(() -> client.steps(store.transactions(), STEPS));
      threads.add(thread);
      thread.start();
    }
    while (threads.stream().anyMatch(Thread::isAlive) && checkpointed(store)) {}
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** False when a twin has got so far that the engine itself notices. */
  private boolean checkpointed(CheckpointedStore store) {
    try {
      for (int flushes = random.nextInt(3); flushes > 0; flushes--) {
        store.flush(1 + random.nextInt(10));
      }
      store.checkpoint();
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
