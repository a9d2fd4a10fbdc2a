package io.bg3.storage.log;

import io.bg3.storage.format.Checksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames records in one reusable direct buffer and writes it to the segments when it is full or
 * {@link #flush} is called. Threads: one at a time.
 */
final class LogOutput {
  private final Segments segments;
  private final long store;
  private final int epoch;
  private final ByteBuffer buffer;
  private final ByteBuffer header;
  private final Checksums checksums = new Checksums();
  private final List<Segment> unsynced = new ArrayList<>();
  private long position;

  /**
   * Begins behind the last record.
   *
   * @param position the end of the log
   */
  LogOutput(Segments segments, LogSettings settings, int epoch, long position) {
    this.segments = segments;
    this.store = settings.store();
    this.epoch = epoch;
    this.position = position;
    this.buffer = ByteBuffer.allocateDirect(settings.bufferSize()).order(ByteOrder.LITTLE_ENDIAN);
    this.header = ByteBuffer.allocate(LogRecord.HEADER).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Adds a record, part of which may be written at once if the buffer gets full.
   *
   * @param payload what remains in it, afterwards nothing
   * @param durable how far the log is known to be durable
   */
  void put(ByteBuffer payload, long durable) throws IOException {
    int length = payload.remaining();
    if (LogRecord.bytes(length) <= buffer.remaining()) {
      putWhole(payload, length, durable);
      return;
    }
    int padding = LogRecord.bytes(length) - LogRecord.HEADER - length;
    checksums.reset().add(payload);
    for (int i = 0; i < padding; i++) {
      checksums.add((byte) 0);
    }
    long start = position + buffer.position();
    LogRecord.encodeHeader(header, 0, store, length, start, durable, epoch, checksums.value());
    copy(header.clear());
    copy(payload);
    copy(ByteBuffer.allocate(padding));
  }

  /** Adds a record for which there is room: it is framed where it stands. */
  private void putWhole(ByteBuffer payload, int length, long durable) {
    int at = buffer.position();
    int body = at + LogRecord.HEADER;
    int end = at + LogRecord.bytes(length);
    for (int i = body + length; i < end; i++) {
      buffer.put(i, (byte) 0);
    }
    buffer.put(body, payload, payload.position(), length);
    payload.position(payload.limit());
    int sum = checksums.reset().add(buffer.limit(end).position(body)).value();
    LogRecord.encodeHeader(buffer, at, store, length, position + at, durable, epoch, sum);
    buffer.limit(buffer.capacity()).position(end);
  }

  /**
   * Writes what is in the buffer to segments that are prepared and returns the position behind it.
   */
  long flush() throws IOException {
    buffer.flip();
    int total = buffer.limit();
    while (buffer.position() < total) {
      Segment segment = segments.at(position);
      long space = segment.end() - position;
      buffer.limit((int) Math.min(total, buffer.position() + space));
      int part = buffer.remaining();
      if (unsynced.isEmpty() || unsynced.get(unsynced.size() - 1).base() != segment.base()) {
        unsynced.add(segment);
      }
      segment.write(buffer, position);
      position += part;
    }
    buffer.clear();
    return position;
  }

  /**
   * Syncs every segment written to since the last sync. Everything written before the call is
   * durable when it returns.
   */
  void sync() throws IOException {
    for (Segment segment : unsynced) {
      segment.file().sync();
    }
    unsynced.clear();
  }

  private void copy(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(from.remaining(), buffer.remaining());
      buffer.put(buffer.position(), from, from.position(), part);
      buffer.position(buffer.position() + part);
      from.position(from.position() + part);
    }
  }
}
