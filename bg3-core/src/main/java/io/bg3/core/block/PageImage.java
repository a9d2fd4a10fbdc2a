package io.bg3.core.block;

import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * A page as it is stored: topology and properties in two parts, each with a checksum of its own, so
 * that the first can be read without the second.
 *
 * <pre>
 *  offset  size  field
 *       0     4  magic       "BG3P"
 *       4     2  version     2
 *       6     1  kind        as in the page's header
 *       7     1  zero
 *       8     1  topology: codec      0 none; 1 lz4 and 2 zstd are reserved
 *       9     3  zero
 *      12     4  topology: stored     bytes in the image
 *      16     4  topology: length     bytes in memory
 *      20     4  topology: checksum   CRC32C of the stored bytes
 *      24    16  properties: the same four; all zero where the page has no values
 *      40     4  checksum    CRC32C of bytes [0, 40)
 *      44     4  zero
 *      48     …  topology: the block of {@link PageHeader}, with 0 for its addresses
 *       …     …  properties: the block of {@link ValueBlock}
 * </pre>
 *
 * <p>Little-endian. An image is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>I1: magic, version and the header's checksum match, and what is zero is zero,
 *   <li>I2: both parts have a known codec and a length that fits it,
 *   <li>I3: the parts fill the image to its end,
 *   <li>I4: both parts match their checksums,
 *   <li>I5: the topology is a block of the image's kind that keeps the invariants of {@code
 *       LeafCheck} or {@code InnerCheck}, with the values that belong to it.
 * </ul>
 */
public final class PageImage {
  /** The version of the format. */
  public static final int VERSION = 2;

  static final int CODEC_NONE = 0;

  public static final int MAGIC = 0;
  public static final int VERSION_AT = MAGIC + Integer.BYTES;
  public static final int KIND = VERSION_AT + Short.BYTES;
  public static final int TOPOLOGY = KIND + Short.BYTES;
  public static final int PROPERTIES = TOPOLOGY + 4 * Integer.BYTES;
  public static final int CHECKSUM = PROPERTIES + 4 * Integer.BYTES;
  public static final int PARTS = CHECKSUM + 2 * Integer.BYTES;

  static final int PART_CODEC = 0;
  public static final int PART_STORED = PART_CODEC + Integer.BYTES;
  static final int PART_LENGTH = PART_STORED + Integer.BYTES;
  public static final int PART_CHECKSUM = PART_LENGTH + Integer.BYTES;

  private static final int MAGIC_NUMBER = 'B' | ('G' << 8) | ('3' << 16) | ('P' << 24);

  private final ByteBuffer topology;
  private final ByteBuffer properties;

  private PageImage(ByteBuffer topology, ByteBuffer properties) {
    this.topology = topology;
    this.properties = properties;
  }

  /** A heap buffer for one part. */
  public static ByteBuffer part(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Puts an image together.
   *
   * @param properties null where the page has no values
   * @return header and parts, in the order in which they are stored
   */
  public static ByteBuffer[] write(int kind, ByteBuffer topology, ByteBuffer properties) {
    ByteBuffer header = part(PARTS);
    header.putInt(MAGIC, MAGIC_NUMBER);
    header.putShort(VERSION_AT, (short) VERSION);
    header.put(KIND, (byte) kind);
    writePart(header, TOPOLOGY, topology);
    if (properties != null) {
      writePart(header, PROPERTIES, properties);
    }
    header.putInt(CHECKSUM, Checksums.crc32c(header, 0, CHECKSUM));
    return properties == null
        ? new ByteBuffer[] {header, topology}
        : new ByteBuffer[] {header, topology, properties};
  }

  /**
   * Takes an image apart and checks I1 to I4.
   *
   * @param image from its position to its limit; not changed
   * @throws CorruptionException with offsets from the image's first byte
   */
  private static PageImage read(ByteBuffer image, int kind) {
    ByteBuffer bytes = image.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(
        bytes.capacity() >= PARTS,
        0,
        "I1: an image of at least " + PARTS + " bytes",
        bytes.capacity());
    require(bytes.getInt(MAGIC) == MAGIC_NUMBER, MAGIC, "I1: magic BG3P", bytes.getInt(MAGIC));
    require(
        bytes.getShort(VERSION_AT) == VERSION,
        VERSION_AT,
        "I1: version " + VERSION,
        bytes.getShort(VERSION_AT));
    int checksum = Checksums.crc32c(bytes, 0, CHECKSUM);
    require(
        bytes.getInt(CHECKSUM) == checksum,
        CHECKSUM,
        "I1: checksum " + checksum,
        bytes.getInt(CHECKSUM));
    require(bytes.getShort(KIND) == kind, KIND, "I1: kind " + kind, bytes.getShort(KIND));
    require(bytes.getInt(CHECKSUM + 4) == 0, CHECKSUM + 4, "I1: zero", bytes.getInt(CHECKSUM + 4));
    ByteBuffer topology = readPart(bytes, TOPOLOGY, PARTS);
    ByteBuffer properties = readPart(bytes, PROPERTIES, PARTS + topology.capacity());
    int end = PARTS + topology.capacity() + properties.capacity();
    require(end == bytes.capacity(), end, "I3: the end of the image", bytes.capacity());
    return new PageImage(topology, properties.capacity() == 0 ? null : properties);
  }

  /**
   * Takes an image apart and checks I1 to I5.
   *
   * @param source where the image comes from, for messages
   * @param check of I5, which throws a CorruptionException with offsets from the topology's first
   *     byte, or what a view throws that finds its columns outside their block
   */
  public static PageImage load(
      ByteBuffer image, int kind, String source, Consumer<PageImage> check) {
    PageImage parts;
    try {
      parts = read(image, kind);
    } catch (CorruptionException e) {
      throw e.in(source, 0);
    }
    try {
      check.accept(parts);
    } catch (CorruptionException e) {
      throw e.in(source, PARTS);
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      CorruptionException corruption =
          new CorruptionException(source, PARTS, "I5: columns inside the block", e.getMessage());
      corruption.addSuppressed(e);
      throw corruption;
    }
    return parts;
  }

  /** The block of header and columns, from offset 0. */
  public ByteBuffer topology() {
    return topology;
  }

  /** The block of values, from offset 0; null if there are none. */
  public ByteBuffer properties() {
    return properties;
  }

  private static void writePart(ByteBuffer header, int at, ByteBuffer part) {
    header.put(at + PART_CODEC, (byte) CODEC_NONE);
    header.putInt(at + PART_STORED, part.capacity());
    header.putInt(at + PART_LENGTH, part.capacity());
    header.putInt(at + PART_CHECKSUM, Checksums.crc32c(part, 0, part.capacity()));
  }

  private static ByteBuffer readPart(ByteBuffer bytes, int at, int from) {
    int codec = bytes.getInt(at + PART_CODEC);
    int stored = bytes.getInt(at + PART_STORED);
    int length = bytes.getInt(at + PART_LENGTH);
    require(codec == CODEC_NONE, at + PART_CODEC, "I2: codec 0", codec);
    require(
        stored >= 0 && stored <= bytes.capacity() - from,
        at + PART_STORED,
        "I3: a part inside the image",
        stored);
    require(stored == length, at + PART_LENGTH, "I2: length " + stored, length);
    int checksum = stored == 0 ? 0 : Checksums.crc32c(bytes, from, from + stored);
    int claimed = bytes.getInt(at + PART_CHECKSUM);
    require(claimed == checksum, at + PART_CHECKSUM, "I4: checksum " + checksum, claimed);
    return bytes.slice(from, stored).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void require(boolean holds, int offset, String expected, int found) {
    if (!holds) {
      throw new CorruptionException("page image", offset, expected, Integer.toString(found));
    }
  }
}
