package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.nio.ByteBuffer;

/** The properties of a node or a link as an answer brings them. Belongs to one thread. */
final class Fields {
  private static final byte[] NOTHING = {};

  private long version;
  private long time;
  private byte[] data = NOTHING;

  /** Takes them from where the answer stands. */
  Fields read(ByteBuffer answer) {
    version = 0;
    time = 0;
    data = NOTHING;
    for (int left = answer.getShort() & 0xffff; left > 0; left--) {
      int key = answer.getShort();
      int kind = answer.get();
      switch (kind) {
        case BatchEncoder.LONG -> number(key, answer.getLong());
        case BatchEncoder.INT -> number(key, answer.getInt());
        case BatchEncoder.BYTES -> {
          data = new byte[answer.getInt()];
          answer.get(data);
        }
        default -> throw new LinkStoreException("the server's answer cannot be read: kind=" + kind);
      }
    }
    return this;
  }

  private void number(int key, long number) {
    if (key == TextTable.VERSION) {
      version = number;
    } else {
      time = number;
    }
  }

  long version() {
    return version;
  }

  long time() {
    return time;
  }

  byte[] data() {
    return data;
  }
}
