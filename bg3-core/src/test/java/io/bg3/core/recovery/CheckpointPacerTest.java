package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints by a clock and a log of the test's own: a page takes some time to write, and the log
 * grows at a rate in that time and while the checkpoint waits.
 */
class CheckpointPacerTest {
  private static final long LIMIT = 100_000_000;
  private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long PAGE = 50 * MICRO;
  private static final int PAGES = 40_000;

  /** Pages that are written between two looks. */
  private static final int GROUP = 16;

  private long now = 5 * SECOND;
  private double length = LIMIT;
  private double bytesInSecond;
  private boolean hurried;
  private int parks;
  private long longestPark;
  private int mostAtOnce;

  private final CheckpointPacer pacer =
      new CheckpointPacer(LIMIT, LIMIT, () -> (long) length, () -> hurried, () -> now, this::park);

  private void park(long nanos) {
    parks++;
    longestPark = Math.max(longestPark, nanos);
    pass(nanos);
  }

  private void pass(long nanos) {
    now += nanos;
    length += bytesInSecond * nanos / SECOND;
  }

  /** Writes pages; says how long that took. */
  private long checkpoint(int pages, int hurriedFrom) {
    long begin = now;
    int atOnce = 0;
    pacer.begin();
    for (int written = 1; written <= pages; written++) {
      hurried = written >= hurriedFrom;
      pass(PAGE);
      int before = parks;
      if (written % GROUP == 0 && pacer.isAhead(written, pages)) {
        pacer.await(written, pages);
      }
      atOnce = parks > before ? 0 : atOnce + 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
    }
    return now - begin;
  }

  private long checkpoint(int pages) {
    return checkpoint(pages, Integer.MAX_VALUE);
  }

  @Test
  void writesArePacedByTheGrowthOfTheLog() {
    length = LIMIT - 50;
    bytesInSecond = LIMIT / 20.0;
    long took = checkpoint(PAGES);
    double grown = (length - LIMIT) / LIMIT;
    assertTrue(grown > 0.49 && grown < 0.51, "grown by " + grown + " of the limit");
    assertTrue(took < 11 * SECOND, "nanoseconds: " + took);
    assertTrue(mostAtOnce <= 4 * GROUP, "pages without a pause: " + mostAtOnce);
    assertTrue(longestPark <= 5_000 * MICRO, "nanoseconds at once: " + longestPark);
  }

  /** A checkpoint that begins early, to free space, may use its half of the limit. */
  @Test
  void aCheckpointThatBeginsBeforeTheLogIsLongIsThroughAfterHalfOfTheLimit() {
    length = 0;
    bytesInSecond = LIMIT / 20.0;
    checkpoint(PAGES);
    double grown = length / LIMIT;
    assertTrue(grown > 0.49 && grown < 0.51, "grown by " + grown + " of the limit");
    assertTrue(mostAtOnce <= 4 * GROUP, "pages without a pause: " + mostAtOnce);
  }

  @Test
  void nothingWaitsWhereTheLogGrowsFasterThanPagesAreWritten() {
    length = 0;
    bytesInSecond = LIMIT;
    assertEquals(PAGES * PAGE, checkpoint(PAGES));
    assertEquals(0, parks);
  }

  @Test
  void anIdleStoreHasItsCheckpointInHalfAMinute() {
    length = 100;
    long took = checkpoint(PAGES);
    assertTrue(took > 29 * SECOND && took < 31 * SECOND, "nanoseconds: " + took);
    took = checkpoint(500);
    assertTrue(took < SECOND, "nanoseconds of a small one: " + took);
  }

  @Test
  void fewPagesDoNotWait() {
    length = 0;
    assertEquals(10 * PAGE, checkpoint(10));
  }

  @Test
  void nothingWaitsWhileSomebodyWaitsForTheCheckpoint() {
    length = 0;
    checkpoint(PAGES, PAGES / 2);
    int before = parks;
    assertTrue(before > 0, "nothing has waited in the first half");
    long begin = now;
    checkpoint(PAGES, 0);
    assertEquals(before, parks);
    assertEquals(PAGES * PAGE, now - begin);
  }

  /** Also in the middle of a pause: no more than one short piece of it follows. */
  @Test
  void aPauseEndsWhenSomebodyBeginsToWait() {
    length = 0;
    int[] looks = new int[1];
    CheckpointPacer interrupted =
        new CheckpointPacer(LIMIT, LIMIT, () -> 0, () -> ++looks[0] > 10, () -> now, this::park);
    interrupted.begin();
    assertTrue(interrupted.isAhead(PAGES / 2, PAGES));
    interrupted.await(PAGES / 2, PAGES);
    assertEquals(9, parks);
  }

  @Test
  void nothingWaitsWhenTheLogIsFarBeyondItsLimit() {
    length = LIMIT + LIMIT / 2;
    assertEquals(PAGES * PAGE, checkpoint(PAGES));
  }

  /** It has the rest of the half, and writes no page of it at once. */
  @Test
  void aCheckpointThatBeginsLateEndsWhereOneInTimeDoes() {
    length = LIMIT + LIMIT / 4;
    bytesInSecond = LIMIT / 40.0;
    checkpoint(PAGES);
    assertTrue(length > 1.49 * LIMIT && length < 1.51 * LIMIT, "length of the log: " + length);
    assertTrue(mostAtOnce <= 4 * GROUP, "pages without a pause: " + mostAtOnce);
  }

  @Test
  void aLogWithoutALimitIsPacedByTime() {
    CheckpointPacer unlimited =
        new CheckpointPacer(
            Long.MAX_VALUE, Long.MAX_VALUE, () -> 1 << 30, () -> false, () -> now, this::park);
    unlimited.begin();
    unlimited.await(GROUP, PAGES);
    assertTrue(parks > 0);
    now += 60 * SECOND;
    assertFalse(unlimited.isAhead(PAGES - GROUP, PAGES));
  }

  /** Copies have a third of the time. */
  @Test
  void aSliceIsFollowedByARestOfTwiceItsTime() {
    length = 0;
    bytesInSecond = LIMIT / 40.0;
    long begin = now;
    pacer.rest(10_000 * MICRO);
    long rested = now - begin;
    assertTrue(rested >= 20_000 * MICRO && rested <= 22_000 * MICRO, "nanoseconds: " + rested);
    assertTrue(longestPark <= 5_000 * MICRO, "nanoseconds at once: " + longestPark);
  }

  @Test
  void nothingRestsWhileSomebodyWaitsOrACheckpointIsNearlyDue() {
    length = LIMIT - LIMIT / 4.0;
    pacer.rest(SECOND);
    length = 0;
    hurried = true;
    pacer.rest(SECOND);
    CheckpointPacer.NONE.rest(SECOND);
    assertEquals(0, parks);
  }

  /** Also in the middle of a rest. */
  @Test
  void aRestEndsWhenTheNextCheckpointIsNearlyDue() {
    length = 0;
    bytesInSecond = LIMIT;
    long begin = now;
    pacer.rest(10 * SECOND);
    assertTrue(now - begin < SECOND, "nanoseconds: " + (now - begin));
  }

  @Test
  void whoAsksForACheckpointHasItAtOnce() {
    CheckpointPacer.NONE.begin();
    assertFalse(CheckpointPacer.NONE.isAhead(GROUP, PAGES));
  }
}
