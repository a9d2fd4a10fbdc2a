package io.bg3.server.query;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exporter that tells the server's log when spans begin to be lost, and when they arrive again.
 * OpenTelemetry's own lines go to another log, and come again and again.
 *
 * <p>Threads: any.
 */
final class ReportedExporter implements SpanExporter {
  private static final Logger LOG = LoggerFactory.getLogger(ReportedExporter.class);

  /** Kept here, because its level is lost with the logger. */
  private static final java.util.logging.Logger OF_LIBRARY =
      java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

  private final SpanExporter exporter;
  private final String endpoint;
  private final AtomicBoolean isFailing = new AtomicBoolean();

  /**
   * @param endpoint where the exporter sends spans, for the log
   */
  ReportedExporter(SpanExporter exporter, String endpoint) {
    this.exporter = exporter;
    this.endpoint = endpoint;
    OF_LIBRARY.setLevel(Level.OFF);
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    CompletableResultCode result = exporter.export(spans);
    result.whenComplete(() -> report(result, spans.size()));
    return result;
  }

  private void report(CompletableResultCode result, int count) {
    if (result.isSuccess()) {
      if (isFailing.compareAndSet(true, false)) {
        LOG.info("the collector accepts spans again: endpoint={}", endpoint);
      }
    } else if (isFailing.compareAndSet(false, true)) {
      LOG.warn(
          "the collector does not accept spans; spans are lost until it does: endpoint={},"
              + " spans={}, problem={}",
          endpoint,
          count,
          String.valueOf(result.getFailureThrowable()));
    }
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
