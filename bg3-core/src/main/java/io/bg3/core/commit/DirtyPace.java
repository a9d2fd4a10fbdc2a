package io.bg3.core.commit;

import io.bg3.core.tree.DirtyPages;
import java.util.concurrent.TimeUnit;

/**
 * The pace of commits while they make pages dirty faster than these are flushed, and memory is
 * short. Without it they would come to the point where no leaf is left that can be evicted, and
 * would then wait as long as the slowest step of a checkpoint takes.
 *
 * <pre>
 *   0             low                          high
 *   |--------------|----------------------------|-------------
 *    as fast as     flushed * 2 * (high - dirty)  a sixteenth
 *    they come      / (high - low)                of flushed
 * </pre>
 *
 * <p><i>Dirty</i> is the memory of the pages that differ from what is stored ({@link DirtyPages}),
 * <i>flushed</i> the rate at which pages have become clean while a thread has worked at that, in
 * the last second of such work and in that which is under way. So commits go as fast as pages are
 * flushed where <i>dirty</i> is in the middle between low and high, and each change of it changes
 * their rate by a little. While a checkpoint syncs, no page becomes clean; then the rate falls by
 * and by.
 *
 * <p>Nobody stops: where much more was changed than may be, commits go on at a sixteenth of the
 * rate of flushes, or at 100 pages a second.
 *
 * <p>Threads: any. {@code this} guards what is not final or volatile.
 */
public final class DirtyPace implements Pace {
  private static final double HASTE = 2;

  /** So much work is remembered. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** No commit waits longer for what one before it has changed. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The rate of commits is at least this part of that of flushes. */
  private static final int LEAST_SHARE = 16;

  /** And at least so many pages a nanosecond. */
  private static final double LEAST_RATE = 100.0 / TimeUnit.SECONDS.toNanos(1);

  private final DirtyPages pages;
  private final Allowance allowance = new Allowance(MOST_NANOS);
  private volatile boolean started;
  private boolean ahead;

  // The work of the thread that flushes.
  private boolean working;
  private long began;
  private long settledBefore;
  private double workedNanos;
  private double settled;

  /** A pace for these pages, at which nobody waits before {@link #start}. */
  DirtyPace(DirtyPages pages) {
    this.pages = pages;
  }

  /** Begins to slow commits: a thread flushes pages from now on. */
  public void start() {
    started = true;
  }

  /** Says that the thread that flushes pages begins to work. */
  public void workBegins() {
    workBegins(System.nanoTime());
  }

  synchronized void workBegins(long now) {
    working = true;
    began = now;
    settledBefore = pages.settled();
  }

  /** Says that it has ended a piece of work. */
  public void workEnds() {
    workEnds(System.nanoTime());
  }

  synchronized void workEnds(long now) {
    working = false;
    long more = pages.settled() - settledBefore;
    if (more == 0 && !pages.isMany()) {
      return; // it had nothing to flush
    }
    settled += more;
    workedNanos += now - began;
    if (workedNanos > WINDOW_NANOS) {
      settled *= WINDOW_NANOS / workedNanos;
      workedNanos = WINDOW_NANOS;
    }
  }

  @Override
  public boolean isAhead() {
    return started && pages.isMany();
  }

  @Override
  public synchronized long delay(long now) {
    if (!isAhead()) {
      ahead = false;
      return 0;
    }
    double flushed = flushed(now);
    if (flushed < 0) {
      return 0;
    }
    long changed = pages.changed();
    if (!ahead) {
      ahead = true;
      allowance.restart(now, changed);
    }
    return allowance.delay(now, changed, rate(flushed));
  }

  /** Pages that may become dirty in a nanosecond. */
  private double rate(double flushed) {
    long low = pages.low();
    double left = (double) (pages.high() - pages.bytes()) / Math.max(1, pages.high() - low);
    return Math.max(LEAST_RATE, flushed * Math.max(1.0 / LEAST_SHARE, HASTE * left));
  }

  /** Pages that have become clean in a nanosecond of work; negative where that is not known. */
  private double flushed(long now) {
    double nanos = workedNanos;
    double count = settled;
    if (working) {
      nanos += now - began;
      count += pages.settled() - settledBefore;
    }
    return nanos <= 0 || (count <= 0 && nanos < WINDOW_NANOS) ? -1 : count / nanos;
  }
}
