package io.bg3.storage.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The bytes of one file as the running process sees them, as the disk is sure to have them, and the
 * changes between the two, of which a power cut keeps any part. Guarded by its disk's lock.
 */
final class CrashingInode {
  private static final int SECTOR = 512;

  /** The changes to the file since the last sync. */
  private sealed interface Change {}

  private static final class Written implements Change {
    private final long position;
    private final byte[] bytes;

    Written(long position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }
  }

  private record Zeroed(long from, long to) implements Change {}

  private record Truncated(long size) implements Change {}

  private final SparsePages current;
  private SparsePages durable;
  private final List<Change> pending = new ArrayList<>();
  private boolean diverged;
  private int handles;

  CrashingInode() {
    this(new SparsePages());
  }

  private CrashingInode(SparsePages durable) {
    this.durable = durable;
    this.current = durable.fork();
  }

  SparsePages current() {
    return current;
  }

  void opened() {
    handles++;
  }

  void closed() {
    handles--;
  }

  /** The process that had it open is gone. */
  void abandoned() {
    handles = 0;
  }

  int handles() {
    return handles;
  }

  void write(long position, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    current.write(position, bytes, 0, bytes.length);
    pending.add(new Written(position, bytes));
  }

  void zero(long from, long to) {
    if (from >= to) {
      return;
    }
    current.extend(to);
    current.zero(from, to);
    pending.add(new Zeroed(from, to));
  }

  void truncate(long size) {
    current.truncate(size);
    pending.add(new Truncated(size));
  }

  void sync() {
    if (diverged) {
      for (Change change : pending) {
        apply(change, durable);
      }
    } else if (!pending.isEmpty()) {
      durable = current.fork();
    }
    pending.clear();
  }

  /**
   * A sync that fails: some of the changes are on the disk, the others are forgotten, and no later
   * sync will write them.
   */
  void failSync(Random random) {
    durable = afterCrash(random);
    pending.clear();
    diverged = true;
  }

  /** Changes bytes on the disk and in the process's view, as damage does. */
  void damage(long position, byte[] bytes) {
    current.write(position, bytes, 0, bytes.length);
    durable.write(position, bytes, 0, bytes.length);
  }

  /** The content that a power cut may leave. */
  CrashingInode crash(Random random) {
    return new CrashingInode(afterCrash(random));
  }

  /**
   * Draws one of the outcomes: nothing or everything of what is pending is kept, or changes in the
   * order they were made up to some point, or any set of whole changes, or any set of sectors.
   */
  private SparsePages afterCrash(Random random) {
    SparsePages result = durable.fork();
    int manner = random.nextInt(5);
    int prefix = random.nextInt(pending.size() + 1);
    int sectorsKept = 1 + random.nextInt(15);
    for (int i = 0; i < pending.size(); i++) {
      boolean whole =
          switch (manner) {
            case 0 -> false;
            case 1 -> true;
            case 2 -> i < prefix;
            case 3 -> random.nextBoolean();
            default -> false;
          };
      if (whole) {
        apply(pending.get(i), result);
      } else if (manner == 4 || (manner == 2 && i == prefix)) {
        tear(pending.get(i), result, random, sectorsKept);
      }
    }
    return result;
  }

  private static void apply(Change change, SparsePages to) {
    if (change instanceof Written written) {
      to.write(written.position, written.bytes, 0, written.bytes.length);
    } else if (change instanceof Zeroed zeroed) {
      to.extend(zeroed.to);
      to.zero(zeroed.from, zeroed.to);
    } else if (change instanceof Truncated truncated) {
      to.truncate(truncated.size);
    }
  }

  /**
   * Keeps each sector of a change with a probability of {@code kept} in 16; one in 16 of the kept
   * sectors is torn in itself.
   */
  private static void tear(Change change, SparsePages to, Random random, int kept) {
    if (change instanceof Written written) {
      int length = written.bytes.length;
      if (random.nextBoolean()) {
        to.extend(written.position + length); // the length was kept, the bytes need not be
      }
      for (int done = 0; done < length; ) {
        int part = (int) Math.min(SECTOR - (written.position + done) % SECTOR, length - done);
        if (random.nextInt(16) < kept) {
          int torn = random.nextInt(16) == 0 ? random.nextInt(part + 1) : part;
          to.write(written.position + done, written.bytes, done, torn);
        }
        done += part;
      }
    } else if (change instanceof Zeroed zeroed) {
      if (random.nextBoolean()) {
        to.extend(zeroed.to);
      }
      for (long at = zeroed.from; at < Math.min(zeroed.to, to.size()); ) {
        long next = Math.min((at / SECTOR + 1) * SECTOR, zeroed.to);
        if (to.used(at, next) && random.nextInt(16) < kept) {
          to.zero(at, next);
        }
        at = next;
      }
    } else if (random.nextBoolean()) {
      apply(change, to);
    }
  }
}
