package io.bg3.core.transaction;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A disk on which, once asked to, a write fails as it does where the JVM has no memory for its
 * buffer: half of the bytes are written, then there is an OutOfMemoryError.
 */
final class HeaplessDisk implements Disk {
  private final Disk disk;
  private String failing; // guarded by this
  private boolean headers; // guarded by this

  HeaplessDisk(Disk disk) {
    this.disk = disk;
  }

  /**
   * The next write to a file whose name begins like this fails.
   *
   * @param prefix null for none
   * @param header whether it is the next one to a file's beginning, or to what follows it
   */
  synchronized void failAt(String prefix, boolean header) {
    failing = prefix;
    headers = header;
  }

  private synchronized boolean fails(String name, long position) {
    boolean fails = failing != null && name.startsWith(failing) && headers == (position == 0);
    if (fails) {
      failing = null;
    }
    return fails;
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return new File(disk.create(name));
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new File(disk.open(name));
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

  private final class File implements DiskFile {
    private final DiskFile file;

    File(DiskFile file) {
      this.file = file;
    }

    private void failIfAsked(ByteBuffer from, long position) throws IOException {
      if (fails(file.name(), position)) {
        file.write(from.slice(from.position(), from.remaining() / 2), position);
        throw new OutOfMemoryError("planted: no memory for a buffer");
      }
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
      failIfAsked(from, position);
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
