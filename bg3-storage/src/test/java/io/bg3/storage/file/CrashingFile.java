package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;

/** An open file of a {@link CrashingDisk}, whose lock guards it. */
final class CrashingFile implements DiskFile {
  private final CrashingDisk disk;
  private final String name;
  private final CrashingInode inode;
  private boolean closed;

  CrashingFile(CrashingDisk disk, String name, CrashingInode inode) {
    this.disk = disk;
    this.name = name;
    this.inode = inode;
    inode.opened();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() throws IOException {
    synchronized (disk) {
      checkOpen();
      disk.look("size");
      return inode.current().size();
    }
  }

  @Override
  public int read(ByteBuffer to, long position) throws IOException {
    synchronized (disk) {
      checkOpen();
      disk.look("read");
      return inode.current().read(to, position);
    }
  }

  @Override
  public void write(ByteBuffer from, long position) throws IOException {
    synchronized (disk) {
      checkOpen();
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      long before = disk.faults();
      try {
        boolean cut = disk.change("write");
        inode.write(position, bytes);
        if (cut) {
          throw disk.powerCut();
        }
      } catch (IOException e) {
        if (disk.faults() > before) {
          inode.write(position, Arrays.copyOf(bytes, disk.partOf(bytes.length)));
        }
        throw e;
      }
      from.position(from.limit());
    }
  }

  @Override
  public void zero(long from, long to) throws IOException {
    synchronized (disk) {
      checkOpen();
      boolean cut = disk.change("zero");
      inode.zero(from, to);
      if (cut) {
        throw disk.powerCut();
      }
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    synchronized (disk) {
      checkOpen();
      boolean cut = disk.change("truncate");
      inode.truncate(size);
      if (cut) {
        throw disk.powerCut();
      }
    }
  }

  @Override
  public void sync() throws IOException {
    synchronized (disk) {
      checkOpen();
      long before = disk.faults();
      try {
        if (disk.change("sync")) {
          throw disk.powerCut();
        }
      } catch (IOException e) {
        if (disk.faults() > before) {
          inode.failSync(disk.random());
        }
        throw e;
      }
      inode.sync();
    }
  }

  @Override
  public void close() {
    synchronized (disk) {
      if (!closed) {
        closed = true;
        if (!disk.isDead()) {
          inode.closed();
        }
      }
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
