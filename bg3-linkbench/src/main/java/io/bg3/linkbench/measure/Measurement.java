package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * All latencies of a phase, second by second and summed up.
 *
 * <p>Threads: each recording belongs to one thread; {@link #tick} and the results exclude each
 * other.
 */
public final class Measurement {
  private final List<Recording> recordings = new CopyOnWriteArrayList<>();
  private final LongAdder failures = new LongAdder();
  private final Map<Operation, Histogram> totals = new EnumMap<>(Operation.class);
  private final List<Interval> intervals = new ArrayList<>();
  private final LongSupplier checkpoints;
  private long begin;
  private long last;
  private long lastCheckpoints;

  /** Begins at this time, in milliseconds since 1970. */
  public Measurement(long begin) {
    this(begin, () -> 0);
  }

  /**
   * Begins at this time.
   *
   * @param begin milliseconds since 1970
   * @param checkpoints how many the store has taken; asked at each tick
   */
  public Measurement(long begin, LongSupplier checkpoints) {
    this.checkpoints = checkpoints;
    this.begin = begin;
    this.last = begin;
    this.lastCheckpoints = checkpoints.getAsLong();
  }

  /** A place for one thread to record at. */
  public Recording recording() {
    Recording recording = new Recording(failures);
    recordings.add(recording);
    return recording;
  }

  /** Says that it really begins now: what was recorded before is forgotten. */
  public synchronized void restart(long now) {
    collect();
    lastCheckpoints = checkpoints.getAsLong();
    totals.clear();
    intervals.clear();
    failures.reset();
    begin = now;
    last = now;
  }

  /** Ends an interval at this time, in milliseconds since 1970. */
  public synchronized void tick(long now) {
    Map<Operation, Histogram> sums = collect();
    long ended = checkpoints.getAsLong();
    if (!sums.isEmpty() && now > last) {
      sums.forEach(
          (operation, histogram) -> {
            histogram.setStartTimeStamp(last);
            histogram.setEndTimeStamp(now);
            histogram.setTag(operation.name());
            totals
                .computeIfAbsent(operation, key -> new Histogram(Recording.DIGITS))
                .add(histogram);
          });
      intervals.add(new Interval(last, now, sums, ended - lastCheckpoints));
      lastCheckpoints = ended;
    } else if (now <= begin) {
      lastCheckpoints = ended; // of the warm-up
    }
    last = Math.max(last, now);
  }

  /** The results so far; of the heap, the samples of threads that have ended. */
  public synchronized Results results() {
    HeapSamples heap = new HeapSamples();
    recordings.forEach(recording -> heap.add(recording.heap()));
    return new Results(
        begin, last, new EnumMap<>(totals), List.copyOf(intervals), heap, failures.sum());
  }

  private Map<Operation, Histogram> collect() {
    Map<Operation, Histogram> sums = new EnumMap<>(Operation.class);
    recordings.forEach(recording -> recording.drainInto(sums));
    return sums;
  }
}
