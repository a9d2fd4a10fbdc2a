package io.bg3.core.transaction;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A disk on which, once asked to, a write fails as it does where the JVM has no memory for its
 * buffer: half of the bytes are written, then there is an OutOfMemoryError.
 */
final class HeaplessDisk extends ForwardingDisk {
  private String failing; // guarded by this
  private boolean headers; // guarded by this

  HeaplessDisk(Disk disk) {
    super(disk);
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
  protected DiskFile wrap(DiskFile file) {
    return new File(file);
  }

  private final class File extends ForwardingFile {
    File(DiskFile file) {
      super(file);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      if (fails(file.name(), position)) {
        file.write(from.slice(from.position(), from.remaining() / 2), position);
        throw new OutOfMemoryError("planted: no memory for a buffer");
      }
      file.write(from, position);
    }
  }
}
