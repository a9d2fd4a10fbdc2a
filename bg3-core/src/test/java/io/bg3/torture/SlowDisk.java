package io.bg3.torture;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that writes extents as slowly as it is told, now a bit more, now a bit less, so that
 * checkpoints fall behind; the log is as fast as ever. Threads: any.
 */
final class SlowDisk extends ForwardingDisk {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Random random;
  private volatile long microsAWrite;

  SlowDisk(Disk disk, long seed) {
    super(disk);
    this.random = new Random(seed);
  }

  /**
   * Has each write to an extent take about so long from now on, that under way included; 0 for no
   * longer than it takes.
   */
  void slowDown(long micros) {
    microsAWrite = micros;
  }

  /** Bytes of the files whose names begin so. */
  long bytes(String prefix) throws IOException {
    long bytes = 0;
    for (String name : list()) {
      if (name.startsWith(prefix)) {
        try (DiskFile file = disk.open(name)) {
          bytes += file.size();
        } catch (IOException e) {
          // it is gone meanwhile
        }
      }
    }
    return bytes;
  }

  @Override
  protected DiskFile wrap(DiskFile file) {
    return file.name().startsWith("extent-") ? new SlowFile(file) : file;
  }

  private void pause() {
    if (microsAWrite > 0) {
      double share;
      synchronized (random) {
        share = 2 * random.nextDouble();
      }
      long begin = System.nanoTime();
      for (long left = left(begin, share); left > 0; left = left(begin, share)) {
        LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
      }
    }
  }

  private long left(long begin, double share) {
    return begin + TimeUnit.MICROSECONDS.toNanos((long) (share * microsAWrite)) - System.nanoTime();
  }

  private final class SlowFile extends ForwardingFile {
    SlowFile(DiskFile file) {
      super(file);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      pause();
      file.write(from, position);
    }
  }
}
