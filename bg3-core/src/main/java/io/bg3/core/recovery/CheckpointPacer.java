package io.bg3.core.recovery;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Spreads the writes of a checkpoint, and of the copies behind it, over a part of the time until
 * the next one is due, so that the syncs of commits do not wait behind them.
 *
 * <pre>
 *   pages written
 *    all  ───────────────────────────╱────────
 *                                 ╱
 *                  a flush waits╱   never waits
 *                  above      ╱
 *      0  ─────────────────╱──────────────────
 *                        begin       begin + room / 2       bytes of the log
 *                        begin       begin + 30 s at most   time
 * </pre>
 *
 * <p>The <i>room</i> is what the log may grow by beyond its limit before commits stop. A checkpoint
 * waits while it has written a larger part of its pages than the log has grown by, of half of the
 * room, and than the time allows for a store that is idle: 30 seconds for all pages, and less where
 * these are few. So a store that commits faster is not paced at all, as one whose disk is slow. A
 * checkpoint that begins late, when the log is longer than its limit, has what is left of that
 * half.
 *
 * <p>Commits that begin to come faster find the room that they would have found without pauses:
 * when the log has grown by a part of half of the room, the same part of the pages is written.
 *
 * <p>It does not wait while anybody might wait for its end: a thread for the checkpoint itself, a
 * commit, a request for memory, or the closing of the store.
 *
 * <p>Images that are copied for their space ({@link Reclaimer}) take a third of the time: behind
 * each slice, the thread rests for twice as long as the slice took. It does not rest while anybody
 * might wait, nor when the next checkpoint is nearly due. So a slow disk has the longer rests, and
 * a round that would not end before the next checkpoint ends at the disk's speed.
 *
 * <p>Waiting is done between two groups of pages and two slices (R47), in pieces of a few
 * milliseconds, before each of which all of this is looked at again.
 *
 * <p>Threads: belongs to the thread that takes checkpoints.
 */
final class CheckpointPacer {
  /** Writes at the disk's speed. */
  static final CheckpointPacer NONE =
      new CheckpointPacer(1, 1, () -> 0, () -> true, () -> 0, nanos -> {});

  /** The part of the room by which the log grows while a checkpoint writes. */
  private static final int ROOM_SHARE = 2;

  /** Behind a slice of copies the thread rests for so many times as long as the slice took. */
  private static final int REST_FOR_WORK = 2;

  /** Nothing rests when the log has less than this part of its limit left until a checkpoint. */
  private static final int NEARLY_DUE_SHARE = 4;

  /** A checkpoint of an idle store waits no longer. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** And not longer than this for each page. */
  private static final long PAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The longest time after which a pause sees a reason to end. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final long limit;
  private final long room;
  private final LongSupplier length;
  private final BooleanSupplier hurried;
  private final LongSupplier clock;
  private final LongConsumer park;

  private long began;
  private long lengthBefore;

  /** The log grows by so many bytes while the checkpoint writes all its pages. */
  private long span;

  /**
   * A pacer of the checkpoints of one store.
   *
   * @param limit bytes of the log after which the next checkpoint is due
   * @param room bytes by which it may grow beyond that before commits stop
   * @param length bytes of the log behind the last checkpoint
   * @param hurried whether anybody might wait for the end of the checkpoint
   * @param clock nanoseconds
   * @param park waits for so many nanoseconds, or less
   */
  CheckpointPacer(
      long limit,
      long room,
      LongSupplier length,
      BooleanSupplier hurried,
      LongSupplier clock,
      LongConsumer park) {
    this.limit = limit;
    this.room = room;
    this.length = length;
    this.hurried = hurried;
    this.clock = clock;
    this.park = park;
  }

  /** Says that a checkpoint begins. */
  void begin() {
    began = clock.getAsLong();
    lengthBefore = length.getAsLong();
    span = Math.max(1, room / ROOM_SHARE - Math.max(0, lengthBefore - limit));
  }

  /**
   * Whether a checkpoint should wait before it writes on. Asked between two groups of pages.
   *
   * @param written how many pages it has written
   * @param all how many it writes in all
   */
  boolean isAhead(int written, int all) {
    return written < all && isAheadNow(written, all);
  }

  private boolean isAheadNow(int written, int all) {
    long now = length.getAsLong();
    double grown = (double) (now - lengthBefore) / span;
    long most = Math.min(MOST_NANOS, all * PAGE_NANOS);
    double passed = (double) (clock.getAsLong() - began) / most;
    return written > Math.max(grown, passed) * all
        && now - limit < room / ROOM_SHARE
        && !hurried.getAsBoolean();
  }

  /**
   * Rests behind a slice of copies.
   *
   * @param worked nanoseconds that the slice took
   */
  void rest(long worked) {
    long end = clock.getAsLong() + REST_FOR_WORK * worked;
    long due = limit - limit / NEARLY_DUE_SHARE;
    while (clock.getAsLong() - end < 0 && length.getAsLong() < due && !hurried.getAsBoolean()) {
      park.accept(LOOK_NANOS);
    }
  }

  /** Waits until a checkpoint that has written so many pages is not ahead any more. */
  void await(int written, int all) {
    while (isAheadNow(written, all)) {
      park.accept(LOOK_NANOS);
    }
  }
}
