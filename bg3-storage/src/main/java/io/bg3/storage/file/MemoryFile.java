package io.bg3.storage.file;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The bytes of one file of a {@link MemoryDisk}, in chunks that are allocated when something other
 * than zero is written to them. They live as long as the file has a name or an open handle. All
 * fields are guarded by the lock.
 */
final class MemoryFile {
  private static final int CHUNK = 1 << 14;

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private byte[][] chunks = new byte[4][]; // null where all is zero; bytes behind size are zero
  private long size;

  DiskFile handle(String name) {
    return new Handle(name);
  }

  private int read(ByteBuffer to, long position) {
    lock.readLock().lock();
    try {
      int total = (int) Math.max(0, Math.min(to.remaining(), size - position));
      for (int done = 0; done < total; ) {
        int offset = offset(position + done);
        int part = Math.min(CHUNK - offset, total - done);
        byte[] chunk = chunks[index(position + done)];
        to.put(chunk == null ? new byte[part] : chunk, chunk == null ? 0 : offset, part);
        done += part;
      }
      return total;
    } finally {
      lock.readLock().unlock();
    }
  }

  private void write(ByteBuffer from, long position) {
    lock.writeLock().lock();
    try {
      if (from.hasRemaining()) {
        grow(position + from.remaining());
      }
      for (long at = position; from.hasRemaining(); ) {
        int part = Math.min(CHUNK - offset(at), from.remaining());
        int index = index(at);
        if (chunks[index] == null) {
          chunks[index] = new byte[CHUNK];
        }
        from.get(chunks[index], offset(at), part);
        at += part;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void zero(long from, long to) {
    lock.writeLock().lock();
    try {
      long old = size;
      if (from < to) {
        grow(to);
      }
      clear(from, Math.min(to, old));
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void truncate(long newSize) {
    lock.writeLock().lock();
    try {
      if (newSize < size) {
        clear(newSize, size);
        size = newSize;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private long size() {
    lock.readLock().lock();
    try {
      return size;
    } finally {
      lock.readLock().unlock();
    }
  }

  private void clear(long from, long to) {
    for (long at = from; at < to; ) {
      int part = (int) Math.min(CHUNK - offset(at), to - at);
      int index = index(at);
      if (part == CHUNK) {
        chunks[index] = null;
      } else if (chunks[index] != null) {
        Arrays.fill(chunks[index], offset(at), offset(at) + part, (byte) 0);
      }
      at += part;
    }
  }

  private void grow(long newSize) {
    if (newSize > size) {
      int needed = index(newSize - 1) + 1;
      if (needed > chunks.length) {
        chunks = Arrays.copyOf(chunks, Math.max(needed, chunks.length * 2));
      }
      size = newSize;
    }
  }

  private static int index(long position) {
    return Math.toIntExact(position / CHUNK);
  }

  private static int offset(long position) {
    return (int) (position % CHUNK);
  }

  /** One opening of the file. */
  private final class Handle implements DiskFile {
    private final String name;
    private volatile boolean closed;

    Handle(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() throws ClosedChannelException {
      checkOpen();
      return MemoryFile.this.size();
    }

    @Override
    public int read(ByteBuffer to, long position) throws ClosedChannelException {
      checkOpen();
      return MemoryFile.this.read(to, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws ClosedChannelException {
      checkOpen();
      MemoryFile.this.write(from, position);
    }

    @Override
    public void zero(long from, long to) throws ClosedChannelException {
      checkOpen();
      MemoryFile.this.zero(from, to);
    }

    @Override
    public void truncate(long size) throws ClosedChannelException {
      checkOpen();
      MemoryFile.this.truncate(size);
    }

    @Override
    public void sync() throws ClosedChannelException {
      checkOpen();
    }

    @Override
    public void close() {
      closed = true;
    }

    private void checkOpen() throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }
  }
}
