package io.bg3.storage.log;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.CrashingDisk.Fault;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.log.LogOracle.Violation;
import io.bg3.storage.log.LogSettings.Zeroed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * The life of a log under crashes: it is written until a mishap, recovered (with mishaps of its
 * own), compared with the oracle, and written again. Everything is drawn from one seed.
 *
 * <p>Mishaps are power cuts at any write-class operation, kills, calls that fail once or for ever,
 * and, at the end of a life, a flipped bit in a part that is said to be durable, which must be
 * reported.
 */
final class LogCampaign {
  private static final int LIVES = 4;

  private final Sites sites;
  private final TailValidator judge;
  private final LogRepair repair;
  private final BiFunction<Disk, LogSettings, SegmentFiles> files;
  private long cuts;
  private long recoveryCuts;
  private long faults;
  private long flips;

  LogCampaign(
      Sites sites,
      TailValidator judge,
      LogRepair repair,
      BiFunction<Disk, LogSettings, SegmentFiles> files) {
    this.sites = sites;
    this.judge = judge;
    this.repair = repair;
    this.files = files;
  }

  /** Power cuts and kills so far. */
  long cuts() {
    return cuts;
  }

  /** Those of them that fell into recovery. */
  long recoveryCuts() {
    return recoveryCuts;
  }

  /** Operations that were made to fail. */
  long faults() {
    return faults;
  }

  /** Bits flipped. */
  long flips() {
    return flips;
  }

  /**
   * Lives one seed.
   *
   * @throws Violation if the log breaks a promise
   */
  void run(long seed) throws IOException {
    try {
      new Life(new Random(seed)).live();
    } catch (CorruptionException e) {
      throw new Violation("damage reported where none was done: " + e.getMessage());
    }
  }

  /** One log. */
  private final class Life {
    private final Random random;
    private final long store;
    private LogSettings settings;
    private final LogOracle oracle = new LogOracle();
    private CrashingDisk disk;
    private boolean created;
    private long checkpoint;
    private long claimed;

    Life(Random random) {
      this.random = random;
      this.store = random.nextLong();
      this.disk = new CrashingDisk(sites, random);
    }

    void live() throws IOException {
      for (int life = 0; life < LIVES; life++) {
        boolean recovering = true;
        plan();
        try {
          WriteAheadLog log = opened();
          recovering = false;
          work(log);
          end(log);
        } catch (PowerCut e) {
          recoveryCuts += recovering && created ? 1 : 0;
        } catch (IOException e) {
          if (disk.faults() == 0) {
            throw e;
          }
        }
        cuts++;
        faults += disk.faults();
        disk.heal();
        disk = random.nextInt(3) == 0 ? disk.kill() : disk.crash(random);
      }
      if (created) {
        opened().close();
        flip();
      }
    }

    private void plan() {
      if (random.nextInt(8) == 0) {
        return; // a long life, perhaps with a mishap while it is closed
      }
      if (random.nextInt(4) == 0) {
        Fault fault = random.nextBoolean() ? Fault.EIO : Fault.ENOSPC;
        disk.failAt(1 + random.nextInt(60), fault, random.nextBoolean());
      } else {
        disk.cutAtWrite(1 + random.nextInt(random.nextBoolean() ? 12 : 60));
      }
    }

    private WriteAheadLog opened() throws IOException {
      settings =
          new LogSettings(
                  store, 8192, 8192 << random.nextInt(3), 1 << 20, 4096 << random.nextInt(3))
              .keeping(random.nextInt(1 << 16))
              .zeroed(random.nextBoolean() ? Zeroed.AHEAD : Zeroed.WITH_RECORDS);
      if (!created) {
        WriteAheadLog log = WriteAheadLog.create(disk, settings, 0, files.apply(disk, settings));
        created = true;
        return log;
      }
      LogReader reader = WriteAheadLog.read(disk, settings, checkpoint, claimed, judge);
      long end = oracle.check(reader, checkpoint);
      if (reader.tornTail().position() != end) {
        throw new Violation("tail at " + reader.tornTail() + " after records to " + end);
      }
      WriteAheadLog log = WriteAheadLog.open(reader, repair, files.apply(disk, settings));
      oracle.opened(end);
      return log;
    }

    private void work(WriteAheadLog log) throws IOException {
      int steps = random.nextInt(200);
      int syncs = random.nextInt(10);
      for (int step = 0; step < steps; step++) {
        switch (random.nextInt(12)) {
          case 0 -> {
            log.write(false);
          }
          case 1 -> { // what a checkpoint does
            oracle.acknowledged(log.write(true));
            checkpoint = oracle.checkpoint(random, checkpoint);
            claimed = random.nextBoolean() ? oracle.acknowledged() : Math.max(claimed, checkpoint);
            log.truncateBefore(checkpoint);
          }
          default -> {
            append(log);
            if (random.nextInt(10) < syncs) {
              oracle.acknowledged(log.write(true));
            }
          }
        }
      }
    }

    private void append(WriteAheadLog log) throws IOException {
      ByteBuffer payload = oracle.payload(random);
      int length = payload.remaining();
      log.reserve(length);
      if (random.nextInt(20) == 0) {
        log.release(length);
      } else {
        oracle.appended(log.append(payload), length);
      }
    }

    /** A life that met no mishap ends by a clean close, or as if it had been killed. */
    private void end(WriteAheadLog log) throws IOException {
      if (random.nextBoolean()) {
        oracle.acknowledged(log.write(true));
        if (random.nextBoolean()) {
          disk.cutAtWrite(1 + random.nextInt(2));
        }
        log.close();
      }
    }

    /** Flips a bit of something that is claimed to be durable and expects to be told. */
    private void flip() throws IOException {
      claimed = oracle.acknowledged();
      if (claimed == checkpoint) {
        return;
      }
      flips++;
      long position = checkpoint + random.nextLong(claimed - checkpoint);
      String what = "position " + position;
      if (random.nextInt(20) == 0) {
        String name = SegmentNames.list(disk).floorEntry(position).getValue();
        disk.flipBit(name, random.nextInt(8 * SegmentHeader.BYTES));
        what = "header of " + name;
      } else {
        StreamDamage.flip(disk, position, random.nextInt(8));
      }
      try (LogReader reader = WriteAheadLog.read(disk, settings, checkpoint, claimed, judge)) {
        oracle.check(reader, checkpoint);
        throw new Violation("flipped bit not noticed: " + what);
      } catch (CorruptionException e) {
        if (!e.getMessage().contains("log-")) {
          throw new Violation("damage told without its file: " + e.getMessage());
        }
      }
    }
  }
}
