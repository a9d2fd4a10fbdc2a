package io.bg3.bench.work;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Measures operations of one thread that may wait for the device: each operation by itself, for as
 * long as a round takes, in several rounds. No operation is asked for again before all others were.
 */
final class LatencyRounds {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int DIGITS = 3;

  /** The side figures of a work, in the order of the table, by what stands behind its name. */
  private static final Map<String, Double> PERCENTILES = percentiles();

  private final Task task;
  private final Histogram nanos = new Histogram(TimeUnit.HOURS.toNanos(1), DIGITS);
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

  /**
   * Measures.
   *
   * @param operation receives the number of operations before it
   */
  void measure(LongConsumer operation) {
    for (int round = 0; round < task.rounds(); round++) {
      nanos.reset();
      ProcessIo before = ProcessIo.now();
      double seconds = round(operation);
      ProcessIo after = ProcessIo.now();
      double done = nanos.getTotalCount();
      rates.add(done / seconds);
      reads.add((after.reads() - before.reads()) / done);
      read.add((after.read() - before.read()) / done);
      PERCENTILES.forEach(
          (name, percentile) ->
              latencies.get(name).add(nanos.getValueAtPercentile(percentile) / NANOS_A_MICRO));
    }
  }

  private double round(LongConsumer operation) {
    long begin = System.nanoTime();
    long last = begin;
    long end = begin + (long) (task.seconds() * NANOS);
    while (last < end) {
      operation.accept(next++);
      long now = System.nanoTime();
      nanos.recordValue(Math.min(now - last, nanos.getHighestTrackableValue()));
      last = now;
    }
    return (last - begin) / NANOS;
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
