package io.bg3.storage.codec;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks, by the native library, or by Java where that cannot be loaded. */
final class Lz4 {
  private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
  private static final LZ4Compressor COMPRESSOR = FACTORY.fastCompressor();

  /** The one that trusts neither length. */
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

  private Lz4() {}

  static int bound(int length) {
    return COMPRESSOR.maxCompressedLength(length);
  }

  static int compress(byte[] from, int at, int length, byte[] into) {
    return COMPRESSOR.compress(from, at, length, into, 0, into.length);
  }

  static int decompress(ByteBuffer from, ByteBuffer into) {
    try {
      return DECOMPRESSOR.decompress(
          from, from.position(), from.remaining(), into, into.position(), into.remaining());
    } catch (LZ4Exception e) {
      return Codec.INVALID;
    }
  }
}
