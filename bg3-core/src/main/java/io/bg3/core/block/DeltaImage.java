package io.bg3.core.block;

import io.bg3.storage.codec.Codec;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A delta as version 4 of the {@link PageImage} stores it. A delta of one entry has a tenth of the
 * bytes of its page, or a hundredth, and is written anew with each flush of the page; so what is
 * not in the entries counts.
 *
 * <pre>
 *  size    field
 *     1    version     4, where an older image has the letter B
 *     1    form        bits 0 to 1: kind of the page; bits 2 to 3: codec; bit 4: the ends of values
 *                      have 4 bytes, not 2; the others 0
 *  varint  topology    bytes of the block in memory, divided by 8
 *  varint  properties  bytes of the values in memory, divided by 8; 0 without values
 *     4    checksum    CRC32C of what the base says of the page (its bytes [8, 20) and [72, 76), and
 *                      the fences) and of all other bytes of the image
 *     …    packed      {@link DeltaPacking}, compressed by the codec
 * </pre>
 *
 * <p>A delta image is <b>valid</b> over a base if and only if
 *
 * <ul>
 *   <li>J1: version, kind and codec are known, and what is zero is zero,
 *   <li>J2: the lengths in memory are together at most 1 MiB or 256 times the stored bytes,
 *   <li>J3: the checksum matches, so that the base is one of the same page with the same fences,
 *   <li>J4: the packed bytes are those of blocks of these lengths,
 *   <li>J5: the blocks keep I5 of {@link PageImage}.
 * </ul>
 *
 * <p>There is one checksum, because a delta is read as a whole or not at all.
 */
public final class DeltaImage {
  /** The version of the format. */
  static final int VERSION = 4;

  private static final int KIND_MASK = 3;
  private static final int CODEC_SHIFT = 2;
  private static final int CODEC_MASK = 3;
  private static final int WIDE_ENDS = 1 << 4;
  private static final int KNOWN = KIND_MASK | CODEC_MASK << CODEC_SHIFT | WIDE_ENDS;

  /** Bytes of version, form and lengths at most, and of the checksum. */
  private static final int MOST_BEFORE = 2 + 2 * Varints.MAX_BYTES + Integer.BYTES;

  private DeltaImage() {}

  /**
   * Puts an image together.
   *
   * @param topology the block of a delta, on the heap, from 0 to its capacity
   * @param columns of the topology
   * @param properties its values, likewise; null where it has none
   * @return the image; null if the delta has to be stored as a {@link PageImage}: since columns are
   *     not to be packed, or because the lengths would not be valid
   */
  public static ByteBuffer[] write(
      ByteBuffer topology, Columns columns, ByteBuffer properties, Compressor compressor) {
    if (!compressor.compression().columns()) {
      return null;
    }
    ByteBuffer packed = DecodeBuffers.deltasOfThread().pack(topology, columns, properties);
    int values = properties == null ? 0 : properties.capacity();
    long length = (long) topology.capacity() + values;
    ByteBuffer compressed = compressor.compress(packed);
    ByteBuffer stored = compressed == null ? packed : compressed;
    if (packed.capacity() > length || !Codec.mayDecode(stored.capacity(), length)) {
      return null;
    }
    Codec codec = compressed == null ? Codec.NONE : compressor.compression().codec();
    int ends = properties == null ? 0 : properties.getInt(ValueBlock.WIDTH);
    int form =
        topology.get(PageHeader.KIND)
            | codec.code() << CODEC_SHIFT
            | (ends == Integer.BYTES ? WIDE_ENDS : 0);
    ByteBuffer image = PageImage.part(MOST_BEFORE + stored.capacity());
    image.put((byte) VERSION).put((byte) form);
    Varints.put(image, topology.capacity() / Long.BYTES);
    Varints.put(image, values / Long.BYTES);
    int checksumAt = image.position();
    image.putInt(0).put(stored.duplicate()).flip();
    image.putInt(checksumAt, checksum(topology, image, checksumAt));
    compressor.count(PageImage.PARTS + length, image.limit());
    return new ByteBuffer[] {image.slice().order(ByteOrder.LITTLE_ENDIAN)};
  }

  private static int checksum(ByteBuffer base, ByteBuffer image, int checksumAt) {
    Checksums sum = DeltaHeader.addFrame(new Checksums(), base);
    return sum.add(image, 0, checksumAt)
        .add(image, checksumAt + Integer.BYTES, image.limit())
        .value();
  }

  /** Whether bytes are not an older image: those begin with a letter. */
  static boolean is(ByteBuffer image) {
    return image.hasRemaining() && image.get(image.position()) != PageImage.FIRST_LETTER;
  }

  /** Bytes of the blocks in memory, and of the header of a {@link PageImage}. */
  static long plainBytes(ByteBuffer image) {
    ByteBuffer in = image.duplicate();
    try {
      in.position(in.position() + 2);
      return PageImage.PARTS + Long.BYTES * (Varints.get(in) + Varints.get(in));
    } catch (IllegalArgumentException | CorruptionException e) {
      return image.remaining(); // damage, which reading it finds
    }
  }

  /**
   * Takes an image apart and checks J1 to J4.
   *
   * @param image from its position to its limit; not changed
   * @param base the valid block over which the delta lies, from offset 0
   * @param buffers where the blocks are decoded
   * @throws CorruptionException with offsets from the image's first byte
   */
  static PageImage read(ByteBuffer image, int kind, ByteBuffer base, DecodeBuffers buffers) {
    ByteBuffer in = image.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(in.capacity() >= 2, 0, "J1: a version and a form", in.capacity());
    require(in.get() == VERSION, 0, "J1: version " + VERSION, in.get(0));
    int form = in.get();
    Codec codec = Codec.of(form >>> CODEC_SHIFT & CODEC_MASK);
    require((form & ~KNOWN) == 0 && codec != null, 1, "J1: a known form", form);
    require((form & KIND_MASK) == kind, 1, "J1: kind " + kind, form & KIND_MASK);
    int topologyLength = length(in);
    int propertiesLength = length(in);
    int checksumAt = in.position();
    int from = checksumAt + Integer.BYTES;
    require(from <= in.capacity(), checksumAt, "J1: a checksum", in.capacity());
    int stored = in.capacity() - from;
    long length = (long) topologyLength + propertiesLength;
    require(
        length <= Integer.MAX_VALUE && Codec.mayDecode(stored, length),
        2,
        "J2: lengths for " + stored + " bytes",
        length);
    int checksum = checksum(base, in, checksumAt);
    int claimed = in.getInt(checksumAt);
    require(claimed == checksum, checksumAt, "J3: checksum " + checksum, claimed);
    ByteBuffer topology = buffers.take(topologyLength);
    ByteBuffer properties = propertiesLength == 0 ? null : buffers.take(propertiesLength);
    int width = (form & WIDE_ENDS) == 0 ? Short.BYTES : Integer.BYTES;
    ByteBuffer part = in.slice(from, stored).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int mark = buffers.mark();
      ByteBuffer packed = PageImage.decompress(part, codec, (int) length, buffers);
      buffers.deltas().unpack(packed, kind, base, topology, properties, width);
      buffers.release(mark);
    } catch (CorruptionException e) {
      throw e.in("page image", from);
    }
    return new PageImage(topology, properties);
  }

  private static int length(ByteBuffer in) {
    int start = in.position();
    long words = Varints.get(in);
    require(words >= 0 && words <= Integer.MAX_VALUE / Long.BYTES, start, "J2: a length", words);
    return (int) words * Long.BYTES;
  }

  private static void require(boolean holds, int offset, String expected, long found) {
    if (!holds) {
      throw new CorruptionException("page image", offset, expected, Long.toString(found));
    }
  }
}
