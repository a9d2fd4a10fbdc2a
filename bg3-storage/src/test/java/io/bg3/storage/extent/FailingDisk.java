package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A disk whose writes and syncs fail while it is told to; counts reads and remembers whether all is
 * synced.
 */
final class FailingDisk implements Disk {
  private final Disk disk;
  volatile boolean fail;
  volatile int reads;

  FailingDisk(Disk disk) {
    this.disk = disk;
  }

  private void failIfTold() throws IOException {
    if (fail) {
      throw new IOException("told to fail");
    }
  }

  @Override
  public DiskFile create(String name) throws IOException {
    failIfTold();
    return new FailingFile(disk.create(name));
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new FailingFile(disk.open(name));
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
    failIfTold();
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

  private final class FailingFile implements DiskFile {
    private final DiskFile file;

    FailingFile(DiskFile file) {
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
    public synchronized int read(ByteBuffer to, long position) throws IOException {
      reads = reads + 1;
      return file.read(to, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      failIfTold();
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
      failIfTold();
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
