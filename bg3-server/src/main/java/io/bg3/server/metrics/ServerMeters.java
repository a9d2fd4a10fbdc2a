package io.bg3.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * The metrics of requests: their number, refusals, errors, and the duration of queries.
 *
 * <p>Threads: any; the thread that runs a query calls {@link #began} and the matching {@link
 * #ended}.
 */
public final class ServerMeters {
  private static final String PREFIX = "bg3.server.";

  private final MeterRegistry registry;
  private final Timer succeeded;
  private final Timer failed;
  private final ThreadLocal<Long> start = new ThreadLocal<>();

  /** Registers the metrics. */
  public ServerMeters(MeterRegistry registry) {
    this.registry = registry;
    this.succeeded = timer("success");
    this.failed = timer("error");
  }

  /** Counts a received request, before it is checked. */
  public void requested(String via) {
    Counter.builder(PREFIX + "requests")
        .description("requests of logged-in clients")
        .tag("via", via)
        .register(registry)
        .increment();
  }

  /** Counts a request that was answered with an error. */
  public void answered(ResponseStatusCode code) {
    switch (code) {
      case SUCCESS, NO_CONTENT, PARTIAL_CONTENT, AUTHENTICATE -> {}
      case UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS -> count("refused", "not let", code);
      default -> count("errors", "answered with an error", code);
    }
  }

  /** Records that the calling thread begins to run a query. */
  public void began() {
    start.set(System.nanoTime());
  }

  /** Records that the calling thread has ended its query; a second call has no effect. */
  public void ended(boolean success) {
    Long since = start.get();
    if (since != null) {
      start.remove();
      (success ? succeeded : failed).record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
    }
  }

  /** Registers gauges for waiting and running queries. */
  public void watch(ThreadPoolExecutor queries, IntSupplier connections, IntSupplier sessions) {
    gauge("queue", "requests that wait for a thread", () -> queries.getQueue().size());
    gauge("queries.running", "running queries outside of sessions", queries::getActiveCount);
    gauge("connections", "open connections", connections);
    gauge("sessions", "open sessions, each a transaction of a client", sessions);
  }

  /** Shows how many lines of the logs could not be written. */
  public void watchLogs(LongSupplier linesLost) {
    FunctionCounter.builder(PREFIX + "log.lines.lost", linesLost, LongSupplier::getAsLong)
        .description("lines that could not be written to a log's file")
        .register(registry);
  }

  private void gauge(String name, String text, IntSupplier figure) {
    Gauge.builder(PREFIX + name, figure, IntSupplier::getAsInt)
        .strongReference(true)
        .description(text)
        .register(registry);
  }

  private void count(String name, String text, ResponseStatusCode code) {
    Counter.builder(PREFIX + name)
        .description("requests " + text)
        .tag("status", code.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  private Timer timer(String outcome) {
    return Timer.builder(PREFIX + "queries")
        .description("duration of queries outside of transactions, to their last result")
        .tag("outcome", outcome)
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofNanos(100_000))
        .maximumExpectedValue(Duration.ofSeconds(60))
        .register(registry);
  }
}
