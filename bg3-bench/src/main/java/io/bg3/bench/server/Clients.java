package io.bg3.bench.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Clients of one server, each with a connection and a thread of its own, that ask one request after
 * the other. One thread measures at a time.
 */
public final class Clients implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int FIRST_ROOM = 1 << 12;

  private final List<Remote> clients = new ArrayList<>();
  private final ExecutorService threads;
  private final ProcessHandle process;

  /** A question that clients ask again and again. */
  public interface Question {
    /** Asks the {@code n}th time, and returns the results. Threads: any. */
    List<?> ask(Remote remote, long n);
  }

  /**
   * The figures of a round.
   *
   * @param rate requests a second, of all clients
   * @param median of the time of a request in ms
   * @param ninetyNine 99 of 100 requests took no longer, in ms
   * @param cpu time of the processors that the servers' process took for a request, in us
   */
  public record Round(double rate, double median, double ninetyNine, double cpu) {}

  /**
   * Connects.
   *
   * @param process of the server
   * @param count of clients
   * @param asksForCompression whether the clients offer to read compressed answers, as the driver
   *     does by default
   */
  public Clients(ProcessHandle process, int port, int count, boolean asksForCompression) {
    this.process = process;
    this.threads = Executors.newFixedThreadPool(count);
    for (int i = 0; i < count; i++) {
      clients.add(new Remote(port, asksForCompression));
    }
  }

  /** How many they are. */
  public int count() {
    return clients.size();
  }

  /**
   * Asks for some seconds.
   *
   * @param next the number of the next question, of whichever client; threads: all of theirs
   */
  public Round round(Question question, LongSupplier next, double seconds) {
    Duration cpu = cpu();
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * NANOS);
    List<Future<long[]>> running = new ArrayList<>();
    for (Remote client : clients) {
      running.add(threads.submit(() -> ask(client, question, next, end)));
    }
    long[] nanos =
        running.stream().flatMapToLong(each -> LongStream.of(result(each))).sorted().toArray();
    double took = (System.nanoTime() - begin) / NANOS;
    return new Round(
        nanos.length / took,
        nanos[nanos.length / 2] / NANOS_A_MILLI,
        nanos[nanos.length * 99 / 100] / NANOS_A_MILLI,
        cpu().minus(cpu).toNanos() / NANOS_A_MICRO / nanos.length);
  }

  /** Zero where the system does not say. */
  private Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The time of each request until the end, in nanoseconds. */
  private static long[] ask(Remote client, Question question, LongSupplier next, long end) {
    long[] nanos = new long[FIRST_ROOM];
    int count = 0;
    long before = System.nanoTime();
    do {
      var unused = question.ask(client, next.getAsLong());
      long now = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = now - before;
      before = now;
    } while (before < end);
    return Arrays.copyOf(nanos, count);
  }

  /** The server's answer to a question, to compare servers. */
  public List<?> answer(Question question, long n) {
    return question.ask(clients.get(0), n);
  }

  private static long[] result(Future<long[]> running) {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a client failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while clients ask", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clients.forEach(Remote::close);
  }
}
