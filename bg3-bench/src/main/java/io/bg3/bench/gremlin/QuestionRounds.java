package io.bg3.bench.gremlin;

import com.sun.management.ThreadMXBean;
import io.bg3.bench.report.Metric;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Asks the questions of a work for some rounds: the rate, the latencies, and the heap that the
 * asking thread allocates.
 *
 * <p>Threads: belongs to one.
 */
public final class QuestionRounds {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int DIGITS = 3;
  private static final int WARM_ROUNDS = 2;

  /** The questions of one work. */
  public interface Asked {
    /** The name of the work. */
    String work();

    /** How many of the first questions have their answers compared. */
    int compared();

    /** Makes what the {@code n}th question needs; not measured. */
    void prepare(long n);

    /** Asks the {@code n}th question and returns its answer. */
    List<?> ask(long n);

    /** Whether the results of an answer have an order. */
    boolean isOrdered();

    /** A result in a form that all systems share; the text of it is compared. */
    default Object comparable(Object result) {
      return result;
    }
  }

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Histogram nanos = new Histogram(TimeUnit.HOURS.toNanos(1), DIGITS);
  private final String system;
  private final String setting;
  private final int rounds;
  private final double seconds;
  private long allocated;
  private long next;

  /**
   * Nothing asked yet.
   *
   * @param system that is asked
   * @param setting of the figures
   * @param rounds that are measured
   * @param seconds of a round at least
   */
  public QuestionRounds(String system, String setting, int rounds, double seconds) {
    this.system = system;
    this.setting = setting;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  /** The figures of a work: its rate with the answers, and what an operation costs. */
  public List<Metric> measure(Asked asked) {
    next = 0;
    String answer = answer(asked);
    round(asked, WARM_ROUNDS * seconds);
    List<Double> rates = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    List<Double> slow = new ArrayList<>();
    List<Double> bytes = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      rates.add(round(asked, seconds));
      medians.add(nanos.getValueAtPercentile(50) / NANOS_A_MICRO);
      slow.add(nanos.getValueAtPercentile(99) / NANOS_A_MICRO);
      bytes.add((double) allocated / nanos.getTotalCount());
    }
    String work = asked.work();
    return List.of(
        new Metric(work, system, setting, "operations/s", true, answer, rates),
        new Metric(work + ".p50", system, setting, "us", false, "", medians),
        new Metric(work + ".p99", system, setting, "us", false, "", slow),
        new Metric(work + ".allocated", system, setting, "bytes/op", false, "", bytes));
  }

  /** A number for the answers to the first questions. */
  private String answer(Asked asked) {
    AnswerHash answer = new AnswerHash(asked.isOrdered());
    for (int i = 0; i < asked.compared(); i++) {
      asked.prepare(next);
      answer.add(asked.ask(next++).stream().map(asked::comparable).toList());
    }
    return answer.text();
  }

  /** Asks for some seconds and returns the rate; what a question needs is prepared in between. */
  private double round(Asked asked, double seconds) {
    nanos.reset();
    allocated = 0;
    long took = 0;
    while (took < seconds * NANOS) {
      asked.prepare(next);
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      var unused = asked.ask(next++);
      long last = System.nanoTime() - begin;
      allocated += threads.getCurrentThreadAllocatedBytes() - bytes;
      nanos.recordValue(Math.min(last, nanos.getHighestTrackableValue()));
      took += last;
    }
    return nanos.getTotalCount() * NANOS / took;
  }
}
