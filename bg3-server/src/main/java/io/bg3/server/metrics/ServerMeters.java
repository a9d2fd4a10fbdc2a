package io.bg3.server.metrics;

import io.bg3.server.dispatch.Rejection;
import io.bg3.server.dispatch.Scheduler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
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

  /**
   * Counts the requests of an endpoint. Looking a counter up takes longer than counting.
   *
   * @param via the name of the endpoint
   * @return to be run for each received request
   */
  public Runnable requests(String via) {
    return Counter.builder(PREFIX + "requests")
            .description("requests of logged-in clients")
            .tag("via", via)
            .register(registry)
        ::increment;
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
      ended(since, success);
    }
  }

  /**
   * As {@link #ended(boolean)}, for a query that another call has {@linkplain #takeBegin taken}.
   */
  public void ended(long begin, boolean success) {
    (success ? succeeded : failed).record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
  }

  /**
   * When the query of the calling thread began, which the thread runs no more. To be given to
   * {@link #ended(long, boolean)}.
   */
  public long takeBegin() {
    long begin = start.get();
    start.remove();
    return begin;
  }

  /** Records that the query of the calling thread has not ended, and will begin again. */
  public void dropped() {
    start.remove();
  }

  /** Registers gauges for waiting and running requests, and counts of those that were not run. */
  public void watch(Scheduler scheduler, IntSupplier connections, IntSupplier sessions) {
    gauge("queue", "requests that wait for a thread", () -> scheduler.figures().waiting());
    gauge(
        "queue.bytes", "bytes of the requests that wait", () -> scheduler.figures().waitingBytes());
    gauge(
        "queries.running",
        "running queries, those of sessions included",
        () -> scheduler.figures().running());
    gauge("queries.long", "queries that take long", () -> scheduler.figures().longRunning());
    gauge(
        "queries.stuck",
        "queries that do not end although their time is over",
        () -> scheduler.figures().stuck());
    FunctionCounter.builder(PREFIX + "queries.quick", scheduler, from -> from.quickRuns().done())
        .description("queries that an event loop has run")
        .register(registry);
    FunctionCounter.builder(
            PREFIX + "queries.stuck.found", scheduler, from -> from.figures().stuckTotal())
        .description("queries that did not end when their time was over")
        .register(registry);
    for (Rejection why : Rejection.values()) {
      rejected(why.name(), scheduler, from -> from.rejected(why));
    }
    rejected("places", scheduler, Scheduler::victims);
    gauge("connections", "open connections", connections::getAsInt);
    gauge("sessions", "open sessions, each a transaction of a client", sessions::getAsInt);
  }

  /**
   * Shows the parse trees of query texts.
   *
   * @param hits how many texts had one
   * @param misses how many had none
   * @param bytes of the trees that are kept
   */
  public void watchTexts(LongSupplier hits, LongSupplier misses, LongSupplier bytes) {
    String text = "query texts whose parse tree was looked up";
    counter("texts", text, hits, "outcome", "hit");
    counter("texts", text, misses, "outcome", "miss");
    gauge("texts.bytes", "memory of the parse trees that are kept", bytes);
  }

  /** Shows how many lines of the logs could not be written. */
  public void watchLogs(LongSupplier linesLost) {
    counter("log.lines.lost", "lines that could not be written to a log's file", linesLost);
  }

  /**
   * Shows the TLS certificate.
   *
   * @param reloads how often a keystore was read again and used
   * @param failures how often it could not be used
   * @param expiry of the certificate, in seconds since 1970
   */
  public void watchTls(LongSupplier reloads, LongSupplier failures, LongSupplier expiry) {
    counter("tls.reloads", "changes of the keystore", reloads, "outcome", "success");
    counter("tls.reloads", "changes of the keystore", failures, "outcome", "error");
    gauge("tls.expiry.seconds", "when the certificate expires, in seconds since 1970", expiry);
  }

  /** A counter refers weakly to its object, and nothing else refers to the supplier. */
  private void counter(String name, String text, LongSupplier count, String... tags) {
    FunctionCounter.builder(PREFIX + name, this, unused -> count.getAsLong())
        .description(text)
        .tags(tags)
        .register(registry);
  }

  private void rejected(String reason, Scheduler scheduler, ToDoubleFunction<Scheduler> count) {
    FunctionCounter.builder(PREFIX + "rejected", scheduler, count)
        .description("requests that were not run, or ended for others")
        .tag("reason", reason.toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private void gauge(String name, String text, LongSupplier figure) {
    Gauge.builder(PREFIX + name, figure, LongSupplier::getAsLong)
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
