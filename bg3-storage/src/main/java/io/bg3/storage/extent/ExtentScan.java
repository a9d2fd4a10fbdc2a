package io.bg3.storage.extent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the records of one extent in the order in which they lie there, whether they are live or
 * not. A place without a valid record is passed over, 8 bytes a time: a write to it has failed or
 * is under way, or it is damaged.
 *
 * <p>Belongs to one thread. The extent may be appended to meanwhile: what is behind its end of the
 * beginning is not read.
 */
public final class ExtentScan {
  private final ExtentReader reader;
  private final Extent extent;
  private final int most;
  private final long end;
  private long offset = Extent.FIRST_RECORD;
  private long passed;

  /**
   * @param most bytes that are read at once, if no record is larger
   */
  ExtentScan(ExtentReader reader, Extent extent, int most) {
    this.reader = reader;
    this.extent = extent;
    this.most = most;
    this.end = extent.written();
  }

  /** Whether there may be records left. */
  public boolean hasMore() {
    return offset < end;
  }

  /** Bytes that have been passed over because no valid record lies there. */
  public long passedBytes() {
    return passed;
  }

  /**
   * Reads some of the next records. Their payloads are on the heap, and the caller's own.
   *
   * @return none if no valid record lies in the bytes that were read
   * @throws NoSuchExtentException if the extent is not there any more
   */
  public List<ExtentRecord> next() throws IOException {
    ByteBuffer bytes = read(most);
    if (cutBytes(bytes, 0) > bytes.limit()) {
      bytes = read((int) Math.min(end - offset, cutBytes(bytes, 0)));
    }
    List<ExtentRecord> records = new ArrayList<>();
    if (bytes.limit() == 0) { // the file is shorter than it is said to be
      passed += end - offset;
      offset = end;
      return records;
    }
    int at = 0;
    while (at < bytes.limit()) {
      boolean all = bytes.limit() == end - offset;
      if (!all && at > 0 && cutBytes(bytes, at) > bytes.limit() - at) {
        break; // the next call reads it as a whole
      }
      ExtentRecord record = record(bytes, at);
      if (record == null) {
        passed += Location.ALIGNMENT;
        at += Location.ALIGNMENT;
      } else {
        records.add(record);
        at += RecordFrame.bytes(record.payload().remaining());
      }
    }
    offset += at;
    return records;
  }

  private ByteBuffer read(int length) throws IOException {
    int bytes = (int) Math.min(length, end - offset);
    return reader.readBytes(extent, offset, bytes);
  }

  /** Bytes of the record that seems to begin at a place; of its header, if that is cut off. */
  private long cutBytes(ByteBuffer bytes, int at) {
    if (bytes.limit() - at < RecordFrame.PAYLOAD) {
      return RecordFrame.PAYLOAD;
    }
    int length = bytes.getInt(at + RecordFrame.LENGTH);
    boolean fits = length >= 0 && length <= end - offset - at - RecordFrame.PAYLOAD;
    return fits && RecordFrame.isReservedZero(bytes, at) ? RecordFrame.bytes(length) : 0;
  }

  /** The record at a place; null if there is no valid one. */
  private ExtentRecord record(ByteBuffer bytes, int at) {
    long length = cutBytes(bytes, at);
    if (length < RecordFrame.PAYLOAD || length > bytes.limit() - at) {
      return null;
    }
    ByteBuffer frame = bytes.slice(at, (int) length).order(ByteOrder.LITTLE_ENDIAN);
    return reader.decode(frame, Location.of(extent.number(), offset + at, length));
  }
}
