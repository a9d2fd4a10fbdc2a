package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the end of a log true on the disk before anything that was read from it is answered. A
 * crash in any of these steps leaves a log that reads the same:
 *
 * <ol>
 *   <li>P1: the directory is synced, so no deletion outlives a rename that it relies on.
 *   <li>P2: segments wholly before the first position, and those behind the end, are deleted.
 *   <li>P3: what is left of torn records in the last segment is zeroed, as far as there are
 *       headers.
 *   <li>P4: the records that no claim says are durable are written again, as they are.
 *   <li>P5: every remaining segment is synced.
 *   <li>P6: the directory is synced.
 * </ol>
 *
 * <p>P4 is there because of syncs that fail. The kernel then keeps the pages, marks them clean, and
 * tells the process, which dies of it; the next process reads the records from these pages, and its
 * own sync has nothing to write and succeeds.
 *
 * <p>Open to tests, which leave steps out to see that they matter.
 */
class LogRepair {
  private static final int WINDOW = 1 << 16;

  /**
   * The segments that will remain, the last of which holds the end of the log. Nothing is changed.
   *
   * @param reader has read the log to its end
   */
  static List<Segment> kept(LogReader reader) {
    List<Segment> kept = new ArrayList<>();
    for (Segment segment : reader.chain().joined()) {
      if (kept.isEmpty() || segment.base() < reader.end()) {
        kept.add(segment);
      }
    }
    return kept;
  }

  /** Does all steps. */
  final void repair(LogReader reader) throws IOException {
    SegmentChain chain = reader.chain();
    List<Segment> kept = kept(reader);
    syncDirectory(chain.disk());
    deleteOthers(chain, kept);
    zero(kept.get(kept.size() - 1), reader.tornTail());
    rewrite(kept, Math.max(kept.get(0).base(), reader.claimedDurable()), reader.end());
    syncReplayed(kept);
    syncDirectory(chain.disk());
  }

  void syncDirectory(Disk disk) throws IOException {
    disk.syncDirectory();
  }

  void zero(Segment last, TornTail tail) throws IOException {
    long to = Math.min(last.end(), tail.position() + tail.bytes());
    if (to > tail.position()) {
      last.file().zero(last.offset(tail.position()), last.offset(to));
    }
  }

  void rewrite(List<Segment> segments, long from, long to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(WINDOW);
    for (Segment segment : segments) {
      long end = Math.min(to, segment.end());
      for (long at = Math.max(from, segment.base()); at < end; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(WINDOW, end - at));
        int read = segment.read(buffer, at);
        if (read < buffer.limit()) {
          throw new EOFException("log segment became shorter: " + segment);
        }
        segment.write(buffer.flip(), at);
      }
    }
  }

  void syncReplayed(List<Segment> segments) throws IOException {
    for (Segment segment : segments) {
      segment.file().sync();
    }
  }

  private static void deleteOthers(SegmentChain chain, List<Segment> kept) throws IOException {
    for (String name : chain.before()) {
      chain.disk().delete(name);
    }
    List<Segment> behind = new ArrayList<>(chain.rest());
    behind.addAll(chain.joined());
    behind.removeAll(kept);
    for (Segment segment : behind) {
      segment.file().close();
      chain.disk().delete(segment.file().name());
    }
  }
}
