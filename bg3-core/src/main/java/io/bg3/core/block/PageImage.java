package io.bg3.core.block;

import io.bg3.storage.codec.Codec;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A page as it is stored: topology and properties in two parts, each with a checksum of its own, so
 * that the first can be read without the second.
 *
 * <pre>
 *  offset  size  field
 *       0     4  magic       "BG3P"
 *       4     2  version     3
 *       6     1  kind        as in the page's header
 *       7     1  zero
 *       8     1  topology: codec      0 none, 1 lz4, 2 zstd
 *       9     1  topology: packing    0 none, 1 {@link ColumnPacking}, before the codec
 *      10     2  zero
 *      12     4  topology: stored     bytes in the image
 *      16     4  topology: length     bytes in memory
 *      20     4  topology: checksum   CRC32C of the stored bytes
 *      24    16  properties: these fields again; all zero where the page has no values
 *      40     4  checksum    CRC32C of bytes [0, 40)
 *      44     4  zero
 *      48     …  topology: the block of {@link PageHeader}, with 0 for its addresses
 *       …     …  properties: the block of {@link ValueBlock}
 * </pre>
 *
 * <p>Little-endian. An image of version 2 has no codec and no packing; it is read as well. A delta
 * whose columns are packed is stored as a {@link DeltaImage}, version 4. An image of version 3 is
 * <b>valid</b> if and only if
 *
 * <ul>
 *   <li>I1: magic, version and the header's checksum match, and what is zero is zero,
 *   <li>I2: both parts have a known codec and packing, and a length that fits: that of the stored
 *       bytes without codec and packing, else more, and at most 1 MiB or 256 times the stored bytes
 *       if that is more; the stored bytes decode to exactly that length,
 *   <li>I3: the parts fill the image to its end,
 *   <li>I4: both parts match their checksums,
 *   <li>I5: the topology is a block of the image's kind that keeps the invariants of {@code
 *       LeafCheck} or {@code InnerCheck}, with the values that belong to it.
 * </ul>
 */
public final class PageImage {
  /** The version of the format: of all bases, and of deltas whose columns are not packed. */
  public static final int VERSION = 3;

  /** The version before, without codecs. */
  static final int PLAIN_VERSION = 2;

  /** The codes of a packing. */
  static final int PACKING_NONE = 0;

  static final int PACKING_COLUMNS = 1;

  public static final int MAGIC = 0;
  public static final int VERSION_AT = MAGIC + Integer.BYTES;
  public static final int KIND = VERSION_AT + Short.BYTES;
  public static final int TOPOLOGY = KIND + Short.BYTES;
  public static final int PROPERTIES = TOPOLOGY + 4 * Integer.BYTES;
  public static final int CHECKSUM = PROPERTIES + 4 * Integer.BYTES;
  public static final int PARTS = CHECKSUM + 2 * Integer.BYTES;

  public static final int PART_CODEC = 0;
  public static final int PART_PACKING = PART_CODEC + Byte.BYTES;
  static final int PART_ZERO = PART_PACKING + Byte.BYTES;
  public static final int PART_STORED = PART_ZERO + Short.BYTES;
  public static final int PART_LENGTH = PART_STORED + Integer.BYTES;
  public static final int PART_CHECKSUM = PART_LENGTH + Integer.BYTES;

  /** What an image of this layout begins with, and no {@link DeltaImage}. */
  static final byte FIRST_LETTER = 'B';

  private static final int MAGIC_NUMBER = 'B' | ('G' << 8) | ('3' << 16) | ('P' << 24);

  private final ByteBuffer topology;
  private final ByteBuffer properties;

  PageImage(ByteBuffer topology, ByteBuffer properties) {
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
   * @param topology on the heap, from 0 to its capacity
   * @param columns of the topology
   * @param properties as the topology; null where the page has no values
   * @param propertyColumns of the properties
   * @return header and parts, in the order in which they are stored
   */
  public static ByteBuffer[] write(
      int kind,
      ByteBuffer topology,
      Columns columns,
      ByteBuffer properties,
      Columns propertyColumns,
      Compressor compressor) {
    ByteBuffer header = part(PARTS);
    header.putInt(MAGIC, MAGIC_NUMBER);
    header.putShort(VERSION_AT, (short) VERSION);
    header.put(KIND, (byte) kind);
    ByteBuffer first = writePart(header, TOPOLOGY, topology, columns, compressor);
    ByteBuffer second =
        properties == null
            ? part(0)
            : writePart(header, PROPERTIES, properties, propertyColumns, compressor);
    header.putInt(CHECKSUM, Checksums.crc32c(header, 0, CHECKSUM));
    compressor.count(plainBytes(header), (long) PARTS + first.capacity() + second.capacity());
    return new ByteBuffer[] {header, first, second};
  }

  /**
   * Bytes of the image before its parts were coded: about what the page takes in memory.
   *
   * @param header begins the image
   */
  public static long plainBytes(ByteBuffer header) {
    if (DeltaImage.is(header)) {
      return DeltaImage.plainBytes(header);
    }
    if (header.remaining() < PARTS) {
      return header.remaining();
    }
    int at = header.position();
    return PARTS
        + Math.max(0L, header.getInt(at + TOPOLOGY + PART_LENGTH))
        + Math.max(0L, header.getInt(at + PROPERTIES + PART_LENGTH));
  }

  /**
   * Bytes of the image, which may be longer than what is there of it.
   *
   * @param header begins the image
   */
  public static long storedBytes(ByteBuffer header) {
    return header.remaining() < PARTS
        ? header.remaining()
        : topologyBytes(header)
            + Math.max(0L, header.getInt(header.position() + PROPERTIES + PART_STORED));
  }

  /**
   * Bytes of the image up to the end of its topology.
   *
   * @param header begins the image
   */
  public static long topologyBytes(ByteBuffer header) {
    return header.remaining() < PARTS
        ? header.remaining()
        : PARTS + Math.max(0L, header.getInt(header.position() + TOPOLOGY + PART_STORED));
  }

  /**
   * Takes an image apart and checks I1 to I4, or without the properties what can be checked of I1
   * to I4 without them: then they, and bytes behind the topology, need not be there.
   *
   * @param image from its position to its limit; not changed
   * @param buffers where coded parts are decoded
   * @throws CorruptionException with offsets from the image's first byte
   */
  private static PageImage read(
      ByteBuffer image, int kind, DecodeBuffers buffers, boolean withProperties) {
    ByteBuffer bytes = image.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(
        bytes.capacity() >= PARTS,
        0,
        "I1: an image of at least " + PARTS + " bytes",
        bytes.capacity());
    require(bytes.getInt(MAGIC) == MAGIC_NUMBER, MAGIC, "I1: magic BG3P", bytes.getInt(MAGIC));
    int version = bytes.getShort(VERSION_AT);
    require(
        version == VERSION || version == PLAIN_VERSION,
        VERSION_AT,
        "I1: version " + PLAIN_VERSION + " or " + VERSION,
        version);
    int checksum = Checksums.crc32c(bytes, 0, CHECKSUM);
    require(
        bytes.getInt(CHECKSUM) == checksum,
        CHECKSUM,
        "I1: checksum " + checksum,
        bytes.getInt(CHECKSUM));
    require(bytes.getShort(KIND) == kind, KIND, "I1: kind " + kind, bytes.getShort(KIND));
    require(bytes.getInt(CHECKSUM + 4) == 0, CHECKSUM + 4, "I1: zero", bytes.getInt(CHECKSUM + 4));
    int propertiesAt = PARTS + stored(bytes, TOPOLOGY, PARTS);
    if (!withProperties) {
      return new PageImage(readPart(bytes, version, TOPOLOGY, PARTS, buffers), null);
    }
    int end = propertiesAt + stored(bytes, PROPERTIES, propertiesAt);
    require(end == bytes.capacity(), end, "I3: the end of the image", bytes.capacity());
    ByteBuffer topology = readPart(bytes, version, TOPOLOGY, PARTS, buffers);
    ByteBuffer properties = readPart(bytes, version, PROPERTIES, propertiesAt, buffers);
    return new PageImage(topology, properties.capacity() == 0 ? null : properties);
  }

  /**
   * Takes the image of a base or of an inner page apart and checks I1 to I5.
   *
   * @param source where the image comes from, for messages
   * @param buffers where coded parts are decoded; the parts are valid until they are used again
   * @param check of I5, which throws a CorruptionException with offsets from the topology's first
   *     byte, or what a view throws that finds its columns outside their block
   */
  public static PageImage load(
      ByteBuffer image, int kind, String source, DecodeBuffers buffers, Consumer<PageImage> check) {
    return load(source, () -> read(image, kind, buffers, true), check);
  }

  /**
   * As {@link #load(ByteBuffer, int, String, DecodeBuffers, Consumer)}, for the image of a delta,
   * of any version.
   *
   * @param base the valid block over which the delta lies, from offset 0
   */
  public static PageImage loadDelta(
      ByteBuffer image,
      int kind,
      ByteBuffer base,
      String source,
      DecodeBuffers buffers,
      Consumer<PageImage> check) {
    return DeltaImage.is(image)
        ? load(source, () -> DeltaImage.read(image, kind, base, buffers), check)
        : load(image, kind, source, buffers, check);
  }

  /**
   * As {@link #load(ByteBuffer, int, String, DecodeBuffers, Consumer)}, but for the properties,
   * which are neither decoded nor checked and are null. The image may end behind its topology.
   */
  public static PageImage loadTopology(
      ByteBuffer image, int kind, String source, DecodeBuffers buffers, Consumer<PageImage> check) {
    return load(source, () -> read(image, kind, buffers, false), check);
  }

  private static PageImage load(
      String source, Supplier<PageImage> read, Consumer<PageImage> check) {
    PageImage parts;
    try {
      parts = read.get();
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

  /** Writes the fields of a part and returns its bytes as they are stored. */
  private static ByteBuffer writePart(
      ByteBuffer header, int at, ByteBuffer part, Columns columns, Compressor compressor) {
    int length = part.capacity();
    ByteBuffer stored = part;
    int packing = PACKING_NONE;
    if (compressor.compression().columns()) {
      ByteBuffer packed = DecodeBuffers.packingOfThread().pack(part, columns);
      if (packed.capacity() < length && Codec.mayDecode(packed.capacity(), length)) {
        stored = packed;
        packing = PACKING_COLUMNS;
      }
    }
    Codec codec = Codec.NONE;
    ByteBuffer compressed = compressor.compress(stored);
    if (compressed != null && Codec.mayDecode(compressed.capacity(), length)) {
      stored = compressed;
      codec = compressor.compression().codec();
    }
    header.put(at + PART_CODEC, (byte) codec.code());
    header.put(at + PART_PACKING, (byte) packing);
    header.putInt(at + PART_STORED, stored.capacity());
    header.putInt(at + PART_LENGTH, length);
    header.putInt(at + PART_CHECKSUM, Checksums.crc32c(stored, 0, stored.capacity()));
    return stored;
  }

  /** Bytes of a part in the image. */
  private static int stored(ByteBuffer bytes, int at, int from) {
    int stored = bytes.getInt(at + PART_STORED);
    require(
        stored >= 0 && stored <= bytes.capacity() - from,
        at + PART_STORED,
        "I3: a part inside the image",
        stored);
    return stored;
  }

  private static ByteBuffer readPart(
      ByteBuffer bytes, int version, int at, int from, DecodeBuffers buffers) {
    int code = bytes.get(at + PART_CODEC);
    int packing = bytes.get(at + PART_PACKING);
    int stored = bytes.getInt(at + PART_STORED);
    int length = bytes.getInt(at + PART_LENGTH);
    Codec codec = version == PLAIN_VERSION && code != 0 ? null : Codec.of(code);
    require(codec != null, at + PART_CODEC, "I2: a codec", code);
    int mostPacking = version == PLAIN_VERSION ? PACKING_NONE : PACKING_COLUMNS;
    require(
        packing >= PACKING_NONE && packing <= mostPacking,
        at + PART_PACKING,
        "I2: a packing",
        packing);
    int zero = bytes.getShort(at + PART_ZERO);
    require(zero == 0, at + PART_ZERO, "I1: zero", zero);
    boolean coded = codec != Codec.NONE || packing != PACKING_NONE;
    require(
        coded ? length > stored && Codec.mayDecode(stored, length) : length == stored,
        at + PART_LENGTH,
        "I2: a length for " + stored + " bytes",
        length);
    int checksum = stored == 0 ? 0 : Checksums.crc32c(bytes, from, from + stored);
    int claimed = bytes.getInt(at + PART_CHECKSUM);
    require(claimed == checksum, at + PART_CHECKSUM, "I4: checksum " + checksum, claimed);
    ByteBuffer part = bytes.slice(from, stored).order(ByteOrder.LITTLE_ENDIAN);
    return coded ? decode(part, from, codec, packing, length, buffers) : part;
  }

  private static ByteBuffer decode(
      ByteBuffer part, int from, Codec codec, int packing, int length, DecodeBuffers buffers) {
    try {
      ByteBuffer whole = buffers.take(length);
      if (packing == PACKING_NONE) {
        int decompressed = codec.decompress(part, whole);
        require(decompressed == length, 0, "I2: " + length + " bytes", decompressed);
        return whole;
      }
      int mark = buffers.mark();
      buffers.packing().unpack(decompress(part, codec, length, buffers), whole);
      buffers.release(mark);
      return whole;
    } catch (CorruptionException e) {
      throw e.in("page image", from);
    }
  }

  /** The packed columns of a part: at most as many bytes as the part has in memory. */
  static ByteBuffer decompress(ByteBuffer part, Codec codec, int length, DecodeBuffers buffers) {
    if (codec == Codec.NONE) {
      return part;
    }
    ByteBuffer packed = buffers.take(length);
    int decompressed = codec.decompress(part, packed);
    return packed.slice(0, decompressed).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void require(boolean holds, int offset, String expected, int found) {
    if (!holds) {
      throw new CorruptionException("page image", offset, expected, Integer.toString(found));
    }
  }
}
