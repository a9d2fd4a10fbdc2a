package io.bg3.bench.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * Clients of one server, each with a connection and a thread of its own, that ask one request after
 * the other. One thread measures at a time.
 */
public final class Clients implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int FIRST_ROOM = 1 << 12;
  private static final int CONNECT_MILLIS = 60_000;

  private final List<One> clients = new ArrayList<>();
  private final ExecutorService threads;
  private final ProcessHandle process;
  private final int vertices;

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
   * @param vertices of the graph; they have the ids from 1
   * @param asksForCompression whether the clients offer to read compressed answers, as the driver
   *     does by default
   */
  public Clients(
      ProcessHandle process, int port, int count, int vertices, boolean asksForCompression) {
    this.process = process;
    this.vertices = vertices;
    this.threads = Executors.newFixedThreadPool(count);
    for (int i = 0; i < count; i++) {
      clients.add(new One(port, asksForCompression));
    }
  }

  /**
   * Asks for some seconds.
   *
   * @param asText whether the request is sent as text, and not as bytecode
   */
  public Round round(Request request, boolean asText, double seconds) {
    Duration cpu = cpu();
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * NANOS);
    List<Future<long[]>> running = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      One client = clients.get(i);
      long first = (long) i * vertices / clients.size();
      running.add(threads.submit(() -> client.ask(request, asText, first, end)));
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

  /** The server's answers to a request about some vertices, to compare servers. */
  public String answers(Request request, boolean asText, int count) {
    List<List<Object>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(clients.get(0).ask(request, asText, 1 + (long) i * vertices / count));
    }
    return answers.toString();
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
    clients.forEach(each -> each.cluster.close());
  }

  private final class One {
    private final Cluster cluster;
    private final Client client;
    private final GraphTraversalSource g;
    private final RequestOptions language =
        RequestOptions.build().language("gremlin-lang").create();

    One(int port, boolean asksForCompression) {
      cluster =
          Cluster.build("127.0.0.1")
              .port(port)
              .minConnectionPoolSize(1)
              .maxConnectionPoolSize(1)
              .nioPoolSize(1)
              .workerPoolSize(1)
              .maxWaitForConnection(CONNECT_MILLIS)
              .connectionSetupTimeoutMillis(CONNECT_MILLIS)
              .enableCompression(asksForCompression)
              .create();
      client = cluster.connect().alias("g");
      g = AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
    }

    /** The time of each request until the end, in nanoseconds. */
    long[] ask(Request request, boolean asText, long first, long end) {
      long[] nanos = new long[FIRST_ROOM];
      int count = 0;
      long id = first;
      long before = System.nanoTime();
      do {
        id = id % vertices + 1;
        var unused = ask(request, asText, id);
        long now = System.nanoTime();
        if (count == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = now - before;
        before = now;
      } while (before < end);
      return Arrays.copyOf(nanos, count);
    }

    List<Object> ask(Request request, boolean asText, long id) {
      if (!asText) {
        return List.copyOf(request.traversal(g, id).toList());
      }
      try {
        List<Object> answer = new ArrayList<>();
        client
            .submit(request.text(id), language)
            .all()
            .get(1, TimeUnit.MINUTES)
            .forEach(result -> answer.add(result.getObject()));
        return answer;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted: request=" + request.text(id), e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException("no answer: request=" + request.text(id), e);
      }
    }
  }
}
