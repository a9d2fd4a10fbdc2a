package io.bg3.torture;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that writes extents as slowly as it is told, now a bit more, now a bit less, so that
 * checkpoints fall behind; the log is as fast as ever. Threads: any.
 */
final class SlowDisk implements Disk {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Disk disk;
  private final Random random;
  private volatile long microsAWrite;

  SlowDisk(Disk disk, long seed) {
    this.disk = disk;
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

  private DiskFile slow(DiskFile file) {
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

  @Override
  public DiskFile create(String name) throws IOException {
    return slow(disk.create(name));
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return slow(disk.open(name));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(name);
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void syncDirectory() throws IOException {
    disk.syncDirectory();
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }

  private final class SlowFile implements DiskFile {
    private final DiskFile file;

    SlowFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
      return file.read(to, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      pause();
      file.write(from, position);
    }

    @Override
    public void zero(long from, long to) throws IOException {
      file.zero(from, to);
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
