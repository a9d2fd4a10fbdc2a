package io.bg3.core.commit;

import java.nio.ByteBuffer;

/**
 * Totals at one moment, for a checkpoint.
 *
 * @param stamp the newest commit in them
 * @param bytes what {@link Totals#decode} reads; holds the stamp too
 */
public record TotalsImage(long stamp, ByteBuffer bytes) {
  /** The bytes in an array of their own. */
  public byte[] copy() {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }
}
