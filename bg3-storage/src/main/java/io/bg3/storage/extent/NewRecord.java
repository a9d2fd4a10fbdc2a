package io.bg3.storage.extent;

import java.nio.ByteBuffer;

/**
 * A record that is to be appended together with others ({@link
 * ExtentStore#append(java.util.List)}).
 *
 * @param family from 1 to 255 for a record that shares extents with those of its stream and family
 *     alone; 0 for one that does not expire
 * @param newest milliseconds since 1970 of what expires last in it; nobody asks where nothing does
 * @param kind what the payload is
 * @param key what it belongs to
 * @param parts the payload, in pieces: what remains in each; their positions stay
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NewRecord(
    Stream stream, int family, long newest, byte kind, long key, ByteBuffer... parts) {
  ExtentTails.Id tail() {
    return new ExtentTails.Id(stream, family, false);
  }

  /** The frame around the payload, which has no place yet. */
  ByteBuffer frame() {
    return RecordFrame.encode(kind, key, RecordFrame.payloadLength(parts), parts);
  }

  /** Bytes of the record with its frame. */
  public int bytes() {
    return RecordFrame.bytes(RecordFrame.payloadLength(parts));
  }
}
