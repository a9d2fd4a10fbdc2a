package io.bg3.storage.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Zstandard frames. A context takes native memory and time to make, so a few that no thread uses
 * are kept; no thread waits for one.
 */
final class Zstandard {
  private static final int KEPT = 8;

  private static final BlockingQueue<ZstdCompressCtx> COMPRESSORS = new ArrayBlockingQueue<>(KEPT);
  private static final BlockingQueue<ZstdDecompressCtx> DECOMPRESSORS =
      new ArrayBlockingQueue<>(KEPT);

  private Zstandard() {}

  static int bound(int length) {
    return Math.toIntExact(Zstd.compressBound(length));
  }

  static int compress(byte[] from, int at, int length, byte[] into, int level) {
    ZstdCompressCtx kept = COMPRESSORS.poll();
    ZstdCompressCtx context = kept == null ? newCompressor() : kept;
    boolean whole = false;
    try {
      context.setLevel(level);
      int bytes = context.compressByteArray(into, 0, into.length, from, at, length);
      whole = true;
      return bytes;
    } finally {
      if (!whole || !COMPRESSORS.offer(context)) {
        context.close();
      }
    }
  }

  static int decompress(ByteBuffer from, ByteBuffer into) {
    ZstdDecompressCtx kept = DECOMPRESSORS.poll();
    ZstdDecompressCtx context = kept == null ? newDecompressor() : kept;
    boolean whole = false;
    try {
      int bytes = decompress(context, from, into);
      whole = true;
      return bytes;
    } catch (ZstdException e) {
      return Codec.INVALID;
    } finally {
      if (!whole || !DECOMPRESSORS.offer(context)) {
        context.close();
      }
    }
  }

  private static int decompress(ZstdDecompressCtx context, ByteBuffer from, ByteBuffer into) {
    int at = from.position();
    int length = from.remaining();
    int to = into.position();
    int most = into.remaining();
    if (from.isDirect() && into.isDirect()) {
      return context.decompressDirectByteBuffer(into, to, most, from, at, length);
    } else if (from.isDirect()) {
      return context.decompressDirectByteBufferToByteArray(
          into.array(), into.arrayOffset() + to, most, from, at, length);
    } else if (into.isDirect()) {
      return context.decompressByteArrayToDirectByteBuffer(
          into, to, most, from.array(), from.arrayOffset() + at, length);
    }
    return context.decompressByteArray(
        into.array(), into.arrayOffset() + to, most, from.array(), from.arrayOffset() + at, length);
  }

  private static ZstdCompressCtx newCompressor() {
    return new ZstdCompressCtx()
        .setMagicless(true)
        .setContentSize(false)
        .setChecksum(false)
        .setDictID(false);
  }

  private static ZstdDecompressCtx newDecompressor() {
    return new ZstdDecompressCtx().setMagicless(true);
  }
}
