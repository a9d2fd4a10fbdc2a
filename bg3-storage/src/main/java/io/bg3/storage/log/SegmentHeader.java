package io.bg3.storage.log;

import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FileHeader;
import io.bg3.storage.format.FileKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a segment's file, in front of its records.
 *
 * <pre>
 *  offset  size  field
 *       0    64  header    as in every file; kind log, number = base, the first position in the segment
 *      64     8  capacity  bytes of records: the file's length less 4096
 *      72     4  epoch     of the opening of the log that created the segment
 *      76     4  checksum  CRC32C of bytes [64, 76)
 *      80  4016  reserved  zero, so that no write of a record touches the header's page
 *    4096     …  records   behind the last one zeros, or what the file held as an earlier segment
 * </pre>
 *
 * A segment's header is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>S1: the file header is valid and names this store and the base in the file's name,
 *   <li>S2: the checksum matches,
 *   <li>S3: the file is exactly 4096 + capacity bytes long.
 * </ul>
 *
 * @param capacity bytes of records
 * @param epoch which opening of the log created the segment, from 1 on
 */
record SegmentHeader(long capacity, int epoch) {
  static final FileKind KIND = new FileKind("log", 1, 1);

  static final int CAPACITY = FileHeader.BYTES;
  static final int EPOCH = CAPACITY + Long.BYTES;
  static final int CHECKSUM = EPOCH + Integer.BYTES;
  static final int BYTES = CHECKSUM + Integer.BYTES;

  /** The offset of the first record. */
  static final int RESERVED = 4096;

  ByteBuffer encode(long store, long base) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    new FileHeader(KIND, store, base).encode(bytes, 0);
    bytes.putLong(CAPACITY, capacity);
    bytes.putInt(EPOCH, epoch);
    bytes.putInt(CHECKSUM, Checksums.crc32c(bytes, CAPACITY, CHECKSUM));
    return bytes;
  }

  /**
   * Decodes the first bytes of a file.
   *
   * @throws CorruptionException if S1 to S3 do not hold
   */
  static SegmentHeader decode(ByteBuffer from, long store, long base, long fileSize, String file) {
    FileHeader.decode(from, KIND, file).expect(store, base, file);
    if (from.remaining() < BYTES) {
      throw new CorruptionException(
          file, CAPACITY, "S3: " + BYTES + " bytes", from.remaining() + " bytes");
    }
    ByteBuffer bytes = from.slice(from.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int checksum = Checksums.crc32c(bytes, CAPACITY, CHECKSUM);
    if (bytes.getInt(CHECKSUM) != checksum) {
      throw new CorruptionException(
          file,
          CHECKSUM,
          "S2: checksum " + Integer.toHexString(checksum),
          Integer.toHexString(bytes.getInt(CHECKSUM)));
    }
    SegmentHeader header = new SegmentHeader(bytes.getLong(CAPACITY), bytes.getInt(EPOCH));
    if (header.capacity != fileSize - RESERVED) {
      throw new CorruptionException(
          file, CAPACITY, "S3: " + (RESERVED + header.capacity) + " bytes", fileSize + " bytes");
    }
    return header;
  }
}
