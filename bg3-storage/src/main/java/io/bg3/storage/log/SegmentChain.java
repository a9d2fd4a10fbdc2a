package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * The segments that are there from a position on, as they were found. Nothing is changed by
 * looking.
 *
 * <pre>
 *  joined  one or more with valid headers, each beginning where the one before it ends: the stream that can be read
 *  rest    what follows the first gap or invalid header; looked at for claims of durability only
 *  before  names of segments that lie wholly before the position: a crash brought them back, or took a deletion's sync
 * </pre>
 *
 * Threads: one.
 */
final class SegmentChain implements AutoCloseable {
  private final Disk disk;
  private final LogSettings settings;
  private final List<Segment> joined = new ArrayList<>();
  private final List<Segment> rest = new ArrayList<>();
  private final List<String> before = new ArrayList<>();

  private SegmentChain(Disk disk, LogSettings settings) {
    this.disk = disk;
    this.settings = settings;
  }

  /**
   * Opens the segments.
   *
   * @param from the position from which the log is to be read
   * @throws CorruptionException if the segment that holds {@code from} is missing or its header is
   *     not valid
   */
  static SegmentChain open(Disk disk, LogSettings settings, long from) throws IOException {
    SegmentChain chain = new SegmentChain(disk, settings);
    boolean complete = false;
    try {
      chain.join(SegmentNames.list(disk), from);
      complete = true;
    } finally {
      if (!complete) {
        chain.close();
      }
    }
    return chain;
  }

  private void join(NavigableMap<Long, String> names, long from) throws IOException {
    Map.Entry<Long, String> first = names.floorEntry(from);
    Map.Entry<Long, String> lower = names.lowerEntry(from);
    if (lower != null && !lower.equals(first) && endOf(lower) == from) {
      first = lower; // the log may end exactly here, and the next segment be a torn one
    }
    if (first == null) {
      String missing = disk.describe(SegmentNames.name(from));
      throw new CorruptionException(missing, 0, "the segment of position " + from, "no file");
    }
    before.addAll(names.headMap(first.getKey(), false).values());
    for (Map.Entry<Long, String> entry : names.tailMap(first.getKey(), true).entrySet()) {
      DiskFile file = disk.open(entry.getValue());
      try {
        Segment segment = validated(entry.getKey(), file);
        if (rest.isEmpty() && (joined.isEmpty() || segment.base() == end())) {
          joined.add(segment);
        } else {
          rest.add(segment);
        }
      } catch (CorruptionException e) {
        long capacity = Math.max(0, file.size() - SegmentHeader.RESERVED);
        rest.add(new Segment(entry.getKey(), capacity, 0, file));
        if (joined.isEmpty()) {
          throw e;
        }
      } catch (IOException | RuntimeException | Error e) {
        file.close();
        throw e;
      }
    }
    if (end() < from) {
      String missing = disk.describe(SegmentNames.name(end()));
      throw new CorruptionException(missing, 0, "the segment of position " + from, "no file");
    }
  }

  /** The segments that can be read as one stream. */
  List<Segment> joined() {
    return joined;
  }

  /**
   * The segments behind the first gap or invalid header; those with epoch 0 have no valid header.
   */
  List<Segment> rest() {
    return rest;
  }

  /** The names of the segments wholly before the position. */
  List<String> before() {
    return before;
  }

  Disk disk() {
    return disk;
  }

  LogSettings settings() {
    return settings;
  }

  /** The first position that cannot be read. */
  long end() {
    return joined.get(joined.size() - 1).end();
  }

  /** The joined segment that holds the position, or the last one if it is the end. */
  Segment at(long position) {
    for (Segment segment : joined) {
      if (position < segment.end()) {
        return segment;
      }
    }
    return joined.get(joined.size() - 1);
  }

  /**
   * Fills the buffer from {@code position} on as far as the stream goes and returns the number of
   * bytes.
   */
  int read(ByteBuffer to, long position) throws IOException {
    long at = position;
    while (to.hasRemaining() && at < end()) {
      int read = at(at).read(to, at);
      if (read == 0) {
        break; // the file became shorter than its header says; what is missing is not valid
      }
      at += read;
    }
    return (int) (at - position);
  }

  /** How messages name the file of a segment. */
  String describe(Segment segment) {
    return disk.describe(segment.file().name());
  }

  @Override
  public void close() throws IOException {
    try {
      for (Segment segment : joined) {
        segment.file().close();
      }
    } finally {
      for (Segment segment : rest) {
        segment.file().close();
      }
    }
  }

  private long endOf(Map.Entry<Long, String> name) throws IOException {
    try (DiskFile file = disk.open(name.getValue())) {
      return validated(name.getKey(), file).end();
    } catch (CorruptionException e) {
      return -1;
    }
  }

  private Segment validated(long base, DiskFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
    file.read(bytes, 0);
    SegmentHeader header =
        SegmentHeader.decode(
            bytes.flip(), settings.store(), base, file.size(), disk.describe(file.name()));
    return new Segment(base, header.capacity(), header.epoch(), file);
  }
}
