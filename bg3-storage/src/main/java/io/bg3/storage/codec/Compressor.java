package io.bg3.storage.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compresses what goes to one stream, and counts the bytes before and after.
 *
 * <p>Threads: any.
 */
public final class Compressor {
  /** Bytes that save less than this share are stored as they are: reading them is then free. */
  private static final int LEAST_SHARE = 16;

  private final Compression compression;
  private final LongAdder plain;
  private final LongAdder stored;

  /**
   * Compresses as the setting says.
   *
   * @throws IllegalStateException if the codec's native library cannot be loaded
   */
  public Compressor(Compression compression) {
    this(compression, new LongAdder(), new LongAdder());
    compression.codec().require();
  }

  private Compressor(Compression compression, LongAdder plain, LongAdder stored) {
    this.compression = compression;
    this.plain = plain;
    this.stored = stored;
  }

  /**
   * Compresses in another way what goes to the same stream, and counts its bytes here.
   *
   * @param other its codec's native library is loaded
   */
  public Compressor with(Compression other) {
    return new Compressor(other, plain, stored);
  }

  /** Leaves everything as it is. */
  public static Compressor none() {
    return new Compressor(Compression.NONE);
  }

  /** The setting of the stream. */
  public Compression compression() {
    return compression;
  }

  /**
   * Compresses bytes on the heap.
   *
   * @param bytes from the position to the limit; neither changes
   * @return what {@link Compression#codec} decompresses to these bytes, on the heap; null if it
   *     would save too little
   */
  public ByteBuffer compress(ByteBuffer bytes) {
    Codec codec = compression.codec();
    int length = bytes.remaining();
    if (codec == Codec.NONE || length == 0) {
      return null;
    }
    byte[] into = new byte[codec.bound(length)];
    int at = bytes.arrayOffset() + bytes.position();
    int compressed = codec.compress(bytes.array(), at, length, into, compression.level());
    return isWorth(length, compressed) && Codec.mayDecode(compressed, length)
        ? ByteBuffer.wrap(into, 0, compressed).slice().order(ByteOrder.LITTLE_ENDIAN)
        : null;
  }

  /** Whether bytes are stored in another form that is so much shorter. */
  public static boolean isWorth(int length, int shorter) {
    return shorter <= length - length / LEAST_SHARE && shorter < length;
  }

  /** Counts what was stored: its bytes in memory, and those in the record. */
  public void count(long plainBytes, long storedBytes) {
    plain.add(plainBytes);
    stored.add(storedBytes);
  }

  /** Bytes in memory of all that was stored. */
  public long plainBytes() {
    return plain.sum();
  }

  /** Bytes that it took in records. */
  public long storedBytes() {
    return stored.sum();
  }
}
