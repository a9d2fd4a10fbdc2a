package io.bg3.storage.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The first 64 bytes of every file of a store.
 *
 * <pre>
 *  offset  size  field
 *       0     4  magic     the letters BG3 and a zero byte
 *       4    12  kind      name of the file's kind in ASCII, filled up with zeros
 *      16     4  version   of the format that follows the header
 *      20     4  reserved  zero
 *      24     8  store     random id of the store, the same in all its files
 *      32     8  number    which file of its kind this is; the kind says how it counts
 *      40    20  reserved  zero
 *      60     4  checksum  CRC32C of bytes [0, 60)
 * </pre>
 *
 * Integers are little-endian. These 64 bytes keep their shape in every version, so that any program
 * can tell damage from age. A header is <b>valid</b> for a kind if and only if
 *
 * <ul>
 *   <li>H1: all 64 bytes are there,
 *   <li>H2: magic is as above,
 *   <li>H3: the checksum matches,
 *   <li>H4: kind is the kind that was asked for,
 *   <li>H5: version is one that the kind's reader knows; otherwise the file is too old or too new,
 *       and not damaged.
 * </ul>
 *
 * @param kind what the file is for
 * @param version of its format
 * @param store id of the store it belongs to
 * @param number which file of its kind
 */
public record FileHeader(FileKind kind, int version, long store, long number) {
  /** Bytes of a header. */
  public static final int BYTES = 64;

  static final int MAGIC = 0;
  static final int KIND = MAGIC + Integer.BYTES;
  static final int VERSION = KIND + FileKind.MAX_NAME;
  static final int STORE = VERSION + 2 * Integer.BYTES;
  static final int NUMBER = STORE + Long.BYTES;
  static final int CHECKSUM = BYTES - Integer.BYTES;

  private static final int MAGIC_VALUE = 'B' | 'G' << 8 | '3' << 16;

  /** A header in the newest version of its kind. */
  public FileHeader(FileKind kind, long store, long number) {
    this(kind, kind.newest(), store, number);
  }

  /** A fresh little-endian buffer with the 64 bytes, ready to be written. */
  public ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    encode(bytes, 0);
    return bytes;
  }

  /** Puts the 64 bytes at {@code offset} of a buffer of either byte order. */
  public void encode(ByteBuffer into, int offset) {
    ByteBuffer bytes = into.slice(offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[BYTES]);
    bytes.putInt(MAGIC, MAGIC_VALUE);
    bytes.put(KIND, kind.bytes());
    bytes.putInt(VERSION, version);
    bytes.putLong(STORE, store);
    bytes.putLong(NUMBER, number);
    bytes.putInt(CHECKSUM, Checksums.crc32c(bytes, 0, CHECKSUM));
  }

  /**
   * Decodes the header at the buffer's position, which stays as it is.
   *
   * @param from a buffer of either byte order whose position is the start of the file
   * @param kind what the file should be
   * @param file how messages name it
   * @throws CorruptionException if H1 to H4 do not hold
   * @throws FormatTooNewException if the version is above the kind's newest
   * @throws FormatTooOldException if the version is below the kind's oldest
   */
  public static FileHeader decode(ByteBuffer from, FileKind kind, String file) {
    if (from.remaining() < BYTES) {
      throw new CorruptionException(
          file, 0, "H1: a header of " + BYTES + " bytes", from.remaining() + " bytes");
    }
    ByteBuffer bytes = from.slice(from.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int magic = bytes.getInt(MAGIC);
    if (magic != MAGIC_VALUE) {
      throw new CorruptionException(file, MAGIC, "H2: magic " + hex(MAGIC_VALUE), hex(magic));
    }
    int checksum = Checksums.crc32c(bytes, 0, CHECKSUM);
    if (bytes.getInt(CHECKSUM) != checksum) {
      throw new CorruptionException(
          file, CHECKSUM, "H3: checksum " + hex(checksum), hex(bytes.getInt(CHECKSUM)));
    }
    String name = name(bytes);
    if (!name.equals(kind.name())) {
      throw new CorruptionException(file, KIND, "H4: kind " + kind.name(), name);
    }
    int version = bytes.getInt(VERSION);
    if (version > kind.newest()) {
      throw new FormatTooNewException(file, version, kind.newest());
    }
    if (version < kind.oldest()) {
      throw new FormatTooOldException(file, version, kind.oldest());
    }
    return new FileHeader(kind, version, bytes.getLong(STORE), bytes.getLong(NUMBER));
  }

  /**
   * Refuses a file of another store or with another number than its name says.
   *
   * @throws CorruptionException if either differs
   */
  public FileHeader expect(long expectedStore, long expectedNumber, String file) {
    if (store != expectedStore) {
      throw new CorruptionException(
          file, STORE, "store " + Long.toHexString(expectedStore), Long.toHexString(store));
    }
    if (number != expectedNumber) {
      throw new CorruptionException(
          file, NUMBER, "number " + Long.toHexString(expectedNumber), Long.toHexString(number));
    }
    return this;
  }

  private static String name(ByteBuffer bytes) {
    byte[] name = new byte[FileKind.MAX_NAME];
    bytes.get(KIND, name);
    return new String(name, StandardCharsets.US_ASCII).replaceAll("\0+$", "");
  }

  private static String hex(int value) {
    return String.format("%08x", value);
  }
}
