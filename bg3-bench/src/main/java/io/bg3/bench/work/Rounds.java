package io.bg3.bench.work;

import com.sun.management.ThreadMXBean;
import io.bg3.bench.report.Metric;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures work on one thread: passes over the same questions until a round is long enough, and
 * several rounds, after a warm-up. Every pass must give the same answer, and since the answers are
 * compared, no compiler can leave the work out.
 */
final class Rounds {
  private static final double NANOS = 1e9;
  private static final int WARM_ROUNDS = 2;
  private static final int WARM_PASSES = 2;

  private final Task task;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> allocated = new ArrayList<>();
  private final List<Double> cpu = new ArrayList<>();
  private final List<Double> read = new ArrayList<>();

  Rounds(Task task) {
    this.task = task;
  }

  /**
   * Measures.
   *
   * @param pass asks all questions once and returns the answer
   * @param operations questions of a pass
   * @param units what a pass is counted in for the rate
   * @param expected the answer
   */
  void measure(LongSupplier pass, long operations, long units, long expected) {
    repeat(pass, WARM_ROUNDS * task.seconds(), WARM_PASSES, expected);
    for (int round = 0; round < task.rounds(); round++) {
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long cpuNanos = threads.getCurrentThreadCpuTime();
      long device = ProcessIo.now().read();
      long begin = System.nanoTime();
      long passes = repeat(pass, task.seconds(), 1, expected);
      double seconds = (System.nanoTime() - begin) / NANOS;
      double done = (double) passes * operations;
      rates.add(passes * units / seconds);
      allocated.add((threads.getCurrentThreadAllocatedBytes() - bytes) / done);
      cpu.add((threads.getCurrentThreadCpuTime() - cpuNanos) / done);
      read.add((ProcessIo.now().read() - device) / done);
    }
  }

  private static long repeat(LongSupplier pass, double seconds, int least, long expected) {
    long begin = System.nanoTime();
    long passes = 0;
    do {
      long answer = pass.getAsLong();
      if (answer != expected) {
        throw new IllegalStateException(
            "a pass gave another answer than the first: expected="
                + expected
                + ", answer="
                + answer);
      }
      passes++;
    } while (passes < least || System.nanoTime() - begin < seconds * NANOS);
    return passes;
  }

  /**
   * The rate, what an operation allocated in the heap, the processor's time that it took, which
   * other processes disturb less than the rate, and what it read from the device.
   */
  List<Metric> figures(String work, String setting, String unit, String answer) {
    String system = task.contender().text();
    return List.of(
        new Metric(work, system, setting, unit, true, answer, rates),
        new Metric(work + ".allocated", system, setting, "bytes/op", false, "", allocated),
        new Metric(work + ".cpu", system, setting, "ns/op", false, "", cpu),
        new Metric(work + ".read", system, setting, "bytes/op", false, "", read));
  }
}
