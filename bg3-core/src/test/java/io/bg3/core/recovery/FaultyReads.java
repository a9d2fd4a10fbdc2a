package io.bg3.core.recovery;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A disk of which the next read of a file fails, or finds damage, when a test says so. */
final class FaultyReads extends ForwardingDisk {
  enum Fault {
    NONE,
    FAILS,
    DAMAGED
  }

  /** Of the next read. */
  Fault next = Fault.NONE;

  FaultyReads(Disk disk) {
    super(disk);
  }

  @Override
  protected DiskFile wrap(DiskFile opened) {
    return new ForwardingFile(opened) {
      @Override
      public int read(ByteBuffer to, long position) throws IOException {
        return read(() -> file.read(to, position), to);
      }

      @Override
      public int readDirect(ByteBuffer to, long position) throws IOException {
        return read(() -> file.readDirect(to, position), to);
      }

      private int read(Reading reading, ByteBuffer to) throws IOException {
        Fault fault = next;
        next = Fault.NONE;
        if (fault == Fault.FAILS) {
          throw new IOException("the test has a read fail");
        }
        int from = to.position();
        int count = reading.run();
        for (int i = from; fault == Fault.DAMAGED && i < to.position(); i++) {
          to.put(i, (byte) ~to.get(i));
        }
        return count;
      }
    };
  }

  private interface Reading {
    int run() throws IOException;
  }
}
