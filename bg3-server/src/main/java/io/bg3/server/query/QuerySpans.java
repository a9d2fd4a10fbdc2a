package io.bg3.server.query;

import io.bg3.core.tree.ReadCounts;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.request.EvaluatedRequests;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.netty.channel.Channel;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A span of OpenTelemetry for each request that was evaluated, made through Micrometer's tracing
 * and sent to a collector by OTLP over HTTP. A span is made when its request has ended, so a
 * request waits for nothing. Spans wait for the collector in a queue of 2,048; when it is full they
 * are dropped.
 *
 * <p>A span has what a line of the {@link SlowQueryLog} has but the plan, and no value of a
 * parameter either.
 *
 * <p>Threads: any.
 */
public final class QuerySpans implements EvaluatedRequests, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuerySpans.class);
  private static final String NAME = "gremlin";
  private static final long PATIENCE_SECONDS = 5;

  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /** For an exporter, which is closed with it. */
  QuerySpans(SpanExporter exporter, int percent) {
    Attributes service = Attributes.of(AttributeKey.stringKey("service.name"), "bg3");
    provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(Resource.create(service)))
            .setSampler(Sampler.traceIdRatioBased(percent / 100.0))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build();
    tracer = new OtelTracer(provider.get("io.bg3"), new OtelCurrentTraceContext(), event -> {});
  }

  /**
   * Begins to export.
   *
   * @param settings with an endpoint
   */
  public static QuerySpans open(TracingSettings settings) {
    String endpoint = settings.endpoint().orElseThrow().toString();
    SpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
    return new QuerySpans(new ReportedExporter(exporter, endpoint), settings.percent());
  }

  @Override
  public boolean notes(long nanos) {
    return true;
  }

  @Override
  public void ended(RunningRequest running, RequestMessage request, Channel channel) {
    long end = micros(Instant.now());
    long begin = end - TimeUnit.NANOSECONDS.toMicros(running.elapsedNanos());
    try {
      Span span =
          tracer
              .spanBuilder()
              .setNoParent()
              .name(NAME)
              .kind(Span.Kind.SERVER)
              .startTimestamp(begin, TimeUnit.MICROSECONDS)
              .start();
      if (!span.isNoop()) { // it is one of the share that is exported
        describe(span, new EndedQuery(running, request, channel));
        span.end(end, TimeUnit.MICROSECONDS);
      }
    } catch (RuntimeException e) { // the request is ended all the same
      LOG.warn("a query has no span: id={}", running.scheduled().number(), e);
    }
  }

  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }

  private static void describe(Span span, EndedQuery query) {
    span.tag("db.system.name", "bg3");
    span.tag("db.namespace", query.graph());
    span.tag("db.query.text", query.query());
    query.parameters().forEach((name, kind) -> span.tag("db.query.parameter." + name, kind));
    span.tag("enduser.id", query.user());
    span.tag("client.address", query.address());
    span.tag("bg3.query.id", query.id());
    query.allocatedBytes().ifPresent(bytes -> span.tag("bg3.query.allocated_bytes", bytes));
    query.results().ifPresent(results -> span.tag("db.response.returned_rows", results));
    ReadCounts read = query.read();
    span.tag("bg3.query.pages_visited", read.pages());
    span.tag("bg3.query.entries_scanned", read.entries());
    span.tag("bg3.query.keys_looked_up", read.lookUps());
    span.tag("bg3.query.full_scans", read.fullScans());
    span.tag("bg3.query.device_reads", read.deviceReads());
    span.tag("bg3.query.device_bytes", read.deviceBytes());
    String outcome = query.outcome();
    span.tag("bg3.query.outcome", outcome);
    if (!outcome.equals(EndedQuery.SUCCESS)) {
      span.tag("error.type", outcome);
      span.error(new Failure(outcome));
    }
  }

  /** Gives a span the status of an error; the message of a real failure may have values. */
  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String outcome) {
      super(outcome, null, false, false);
    }
  }

  /** Sends the spans that wait, within a few seconds. Does nothing the second time. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)
        && !provider.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS).isSuccess()) {
      LOG.warn("the last spans were not exported");
    }
  }
}
