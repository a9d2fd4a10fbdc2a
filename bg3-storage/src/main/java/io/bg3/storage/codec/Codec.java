package io.bg3.storage.codec;

import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;

/**
 * A way to compress bytes, with the code that stands for it on the disk.
 *
 * <p>The compressed bytes do not say how long they are, before or after: their container does.
 * Threads: any.
 */
public enum Codec {
  /** The bytes as they are. */
  NONE(0) {
    @Override
    int compress(byte[] from, int at, int length, byte[] into, int level) {
      throw new AssertionError(this);
    }

    @Override
    int decode(ByteBuffer from, ByteBuffer into) {
      throw new AssertionError(this);
    }

    @Override
    int bound(int length) {
      return length;
    }
  },

  /** An LZ4 block. */
  LZ4(1) {
    @Override
    int compress(byte[] from, int at, int length, byte[] into, int level) {
      return Lz4.compress(from, at, length, into);
    }

    @Override
    int decode(ByteBuffer from, ByteBuffer into) {
      return Lz4.decompress(from, into);
    }

    @Override
    int bound(int length) {
      return Lz4.bound(length);
    }
  },

  /** A Zstandard frame without its magic number, content size and checksum. */
  ZSTD(2) {
    @Override
    int compress(byte[] from, int at, int length, byte[] into, int level) {
      return Zstandard.compress(from, at, length, into, level);
    }

    @Override
    int decode(ByteBuffer from, ByteBuffer into) {
      return Zstandard.decompress(from, into);
    }

    @Override
    int bound(int length) {
      return Zstandard.bound(length);
    }
  };

  /** Bytes that any stored bytes may decode to; to more only by the factor. */
  static final int MOST_FROM_ANY = 1 << 20;

  static final int MOST_EXPANSION = 256;

  /** The result of {@link #decode} for bytes that the codec did not write, or that do not fit. */
  static final int INVALID = -1;

  private static final Codec[] BY_CODE = values();

  private final int code;

  Codec(int code) {
    this.code = code;
  }

  /** The number that stands for the codec on the disk. */
  public int code() {
    return code;
  }

  /** The codec with this code, or null if there is none. */
  public static Codec of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  /**
   * Whether so many stored bytes may stand for a length: what bounds the memory that damaged bytes
   * can ask for. Bytes that are shorter than that are stored in another form.
   */
  public static boolean mayDecode(int stored, long length) {
    return length <= Math.max(MOST_FROM_ANY, (long) stored * MOST_EXPANSION);
  }

  /**
   * Decompresses bytes of this codec, which may be damaged.
   *
   * @param from from its position to its limit; neither changes
   * @param into written from its position on, at most to its limit; neither changes
   * @return how many bytes were written
   * @throws CorruptionException if the bytes are not of this codec or stand for more than fits
   * @throws IllegalStateException if the codec's native library cannot be loaded
   */
  public int decompress(ByteBuffer from, ByteBuffer into) {
    int length = load(() -> decode(from, into));
    if (length < 0) {
      throw new CorruptionException(
          "compressed bytes",
          0,
          this + " of at most " + into.remaining() + " bytes",
          from.remaining() + " bytes of something else");
    }
    return length;
  }

  /**
   * Loads the codec's native library.
   *
   * @throws IllegalStateException if there is none for this platform, or it cannot be loaded
   */
  public void require() {
    if (this != NONE) {
      byte[] probe = new byte[64];
      load(() -> compress(probe, 0, probe.length, new byte[bound(probe.length)], 1));
    }
  }

  /** Compresses into an array of {@link #bound} bytes and returns how many it took. */
  abstract int compress(byte[] from, int at, int length, byte[] into, int level);

  abstract int decode(ByteBuffer from, ByteBuffer into);

  /** The most bytes that so many bytes take when they are compressed. */
  abstract int bound(int length);

  private interface Call {
    int run();
  }

  private int load(Call call) {
    try {
      return call.run();
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "the native library of a codec cannot be loaded: codec="
              + this
              + ", directory="
              + System.getProperty("java.io.tmpdir")
              + ", cause="
              + e.getMessage(),
          e);
    }
  }
}
