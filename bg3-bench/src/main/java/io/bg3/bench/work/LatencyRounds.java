package io.bg3.bench.work;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Measures operations of one thread, or of several: each operation by itself, for as long as a
 * round takes, in several rounds. No operation of one thread is asked for again before all others
 * were.
 */
final class LatencyRounds {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int DIGITS = 3;
  private static final int WARM_ROUNDS = 2;
  private static final int MOST_WARM_ROUNDS = 120;

  /** The side figures of a work, in the order of the table, by what stands behind its name. */
  private static final Map<String, Double> PERCENTILES = percentiles();

  private final Task task;
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> reads = new ArrayList<>();
  private final List<Double> read = new ArrayList<>();
  private final Map<String, List<Double>> latencies = new LinkedHashMap<>();
  private long next;

  LatencyRounds(Task task) {
    this.task = task;
    PERCENTILES.keySet().forEach(name -> latencies.put(name, new ArrayList<>()));
  }

  private static Map<String, Double> percentiles() {
    Map<String, Double> all = new LinkedHashMap<>();
    all.put("p50", 50.0);
    all.put("p99", 99.0);
    all.put("p99.9", 99.9);
    return all;
  }

  /** Does operations for as long as two rounds take, which do not count. */
  void warmUp(LongConsumer operation) {
    for (int round = 0; round < WARM_ROUNDS; round++) {
      round(false, operation);
    }
  }

  /**
   * Does operations, which do not count, until the process has read so many bytes from the device,
   * or a round reads none, or for as long as 120 rounds take.
   */
  void warmUp(long bytes, LongConsumer operation) {
    long read = ProcessIo.now().read();
    long before = -1;
    for (int round = 0; round < MOST_WARM_ROUNDS && read < bytes && read > before; round++) {
      round(false, operation);
      before = read;
      read = ProcessIo.now().read();
    }
  }

  /**
   * Measures.
   *
   * @param operation receives the number of operations before it
   */
  void measure(LongConsumer operation) {
    for (int round = 0; round < task.rounds(); round++) {
      round(true, operation);
    }
  }

  /**
   * One round.
   *
   * @param counts whether it is measured
   * @param operation receives the number of operations before it
   */
  void round(boolean counts, LongConsumer operation) {
    ProcessIo before = ProcessIo.now();
    Histogram nanos = histogram();
    double seconds =
        round(
            nanos,
            () -> {
              operation.accept(next++);
              return true;
            });
    if (counts) {
      note(nanos, seconds, before);
    }
  }

  /**
   * One round of several threads, which ends early when none has an operation left.
   *
   * @param counts whether it is measured
   * @param sessions opens the one of a thread
   */
  void round(int threads, boolean counts, IntFunction<Session> sessions) {
    ProcessIo before = ProcessIo.now();
    Crew<Histogram> crew = Crew.run(threads, (thread, start) -> round(sessions, thread, start));
    if (counts) {
      Histogram all = histogram();
      crew.parts().forEach(all::add);
      note(all, crew.seconds(), before);
    }
  }

  private Histogram round(IntFunction<Session> sessions, int thread, Runnable start) {
    Histogram nanos = histogram();
    try (Session session = sessions.apply(thread)) {
      start.run();
      round(nanos, session::next);
    }
    return nanos;
  }

  private double round(Histogram nanos, BooleanSupplier operation) {
    long begin = System.nanoTime();
    long last = begin;
    long end = begin + (long) (task.seconds() * NANOS);
    while (last < end && operation.getAsBoolean()) {
      long now = System.nanoTime();
      nanos.recordValue(Math.min(now - last, nanos.getHighestTrackableValue()));
      last = now;
    }
    return (last - begin) / NANOS;
  }

  private void note(Histogram nanos, double seconds, ProcessIo before) {
    ProcessIo after = ProcessIo.now();
    double done = nanos.getTotalCount();
    rates.add(done / seconds);
    reads.add((after.reads() - before.reads()) / done);
    read.add((after.read() - before.read()) / done);
    PERCENTILES.forEach(
        (name, percentile) ->
            latencies.get(name).add(nanos.getValueAtPercentile(percentile) / NANOS_A_MICRO));
  }

  private static Histogram histogram() {
    return new Histogram(TimeUnit.HOURS.toNanos(1), DIGITS);
  }

  /** The number of operations so far. */
  long operations() {
    return next;
  }

  /**
   * The rate, the latencies in microseconds, and what an operation read: calls, and bytes from the
   * device.
   */
  List<Metric> figures(String work, String setting, String answer) {
    String system = task.contender().text();
    List<Metric> figures = new ArrayList<>();
    figures.add(new Metric(work, system, setting, "operations/s", true, answer, rates));
    latencies.forEach(
        (name, micros) ->
            figures.add(new Metric(work + "." + name, system, setting, "us", false, "", micros)));
    figures.add(new Metric(work + ".reads", system, setting, "reads/op", false, "", reads));
    figures.add(new Metric(work + ".read", system, setting, "bytes/op", false, "", read));
    return figures;
  }
}
