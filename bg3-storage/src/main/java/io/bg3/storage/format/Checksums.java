package io.bg3.storage.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C over several pieces, the checksum of every file. One object belongs to one thread and is
 * used again after {@link #reset()}.
 *
 * <p>Numbers are added as their little-endian bytes, so a sum over fields equals the sum over the
 * bytes they are stored as.
 */
public final class Checksums {
  private final CRC32C crc = new CRC32C();

  /** CRC32C of {@code bytes[from, to)}; position and limit of {@code bytes} stay as they are. */
  public static int crc32c(ByteBuffer bytes, int from, int to) {
    return new Checksums().add(bytes, from, to).value();
  }

  /** Begins a new sum. */
  public Checksums reset() {
    crc.reset();
    return this;
  }

  /** Adds one byte. */
  public Checksums add(byte value) {
    crc.update(value);
    return this;
  }

  /** Adds the four bytes of {@code value}. */
  public Checksums add(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(value >>> shift);
    }
    return this;
  }

  /** Adds the eight bytes of {@code value}. */
  public Checksums add(long value) {
    return add((int) value).add((int) (value >>> Integer.SIZE));
  }

  /** Adds {@code bytes[from, to)}; position and limit of {@code bytes} stay as they are. */
  public Checksums add(ByteBuffer bytes, int from, int to) {
    crc.update(bytes.duplicate().position(0).limit(to).position(from));
    return this;
  }

  /** Adds what remains in {@code bytes}; its position and limit stay as they are. */
  public Checksums add(ByteBuffer bytes) {
    return add(bytes, bytes.position(), bytes.limit());
  }

  /** The sum so far. */
  public int value() {
    return (int) crc.getValue();
  }
}
