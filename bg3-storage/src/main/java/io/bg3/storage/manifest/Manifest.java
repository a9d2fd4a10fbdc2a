package io.bg3.storage.manifest;

import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FileHeader;
import io.bg3.storage.format.FileKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The content of a manifest file.
 *
 * <pre>
 *  offset  size  field
 *       0    64  header    as in every file; kind manifest, number = sequence
 *      64     4  length    of the payload
 *      68     4  checksum  CRC32C of bytes [0, 68) and the payload
 *      72     …  payload   the engine's, to the end of the file
 * </pre>
 *
 * Integers are little-endian. A manifest is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>M1: its header is valid,
 *   <li>M2: the file is exactly 72 + length bytes long,
 *   <li>M3: checksum matches.
 * </ul>
 *
 * @param store id of the store
 * @param sequence 1 for a store's first manifest, one more for each replacement
 * @param payload a buffer whose remaining bytes are the payload; little-endian after decoding
 */
public record Manifest(long store, long sequence, ByteBuffer payload) {
  static final FileKind KIND = new FileKind("manifest", 2, 2);

  static final int LENGTH = FileHeader.BYTES;
  static final int CHECKSUM = LENGTH + Integer.BYTES;
  static final int PAYLOAD = CHECKSUM + Integer.BYTES;

  ByteBuffer encode() {
    int length = payload.remaining();
    ByteBuffer bytes = ByteBuffer.allocate(PAYLOAD + length).order(ByteOrder.LITTLE_ENDIAN);
    new FileHeader(KIND, store, sequence).encode(bytes, 0);
    bytes.putInt(LENGTH, length);
    bytes.put(PAYLOAD, payload, payload.position(), length);
    bytes.putInt(CHECKSUM, checksum(bytes));
    return bytes;
  }

  /**
   * Decodes a whole file.
   *
   * @throws CorruptionException if M1 to M3 do not hold
   */
  static Manifest decode(ByteBuffer from, String file) {
    FileHeader header = FileHeader.decode(from, KIND, file);
    ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.limit() < PAYLOAD) {
      throw new CorruptionException(
          file, LENGTH, "M2: at least " + PAYLOAD + " bytes", bytes.limit() + " bytes");
    }
    int length = bytes.getInt(LENGTH);
    if (length != bytes.limit() - PAYLOAD) {
      throw new CorruptionException(
          file, LENGTH, "M2: length " + (bytes.limit() - PAYLOAD), "length " + length);
    }
    int checksum = checksum(bytes);
    if (bytes.getInt(CHECKSUM) != checksum) {
      throw new CorruptionException(
          file,
          CHECKSUM,
          "M3: checksum " + Integer.toHexString(checksum),
          Integer.toHexString(bytes.getInt(CHECKSUM)));
    }
    ByteBuffer payload = bytes.slice(PAYLOAD, length).order(ByteOrder.LITTLE_ENDIAN);
    return new Manifest(header.store(), header.number(), payload);
  }

  private static int checksum(ByteBuffer bytes) {
    return new Checksums().add(bytes, 0, CHECKSUM).add(bytes, PAYLOAD, bytes.limit()).value();
  }
}
