package io.bg3.server.query;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import io.bg3.core.tree.ReadCounts;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.log.LineLimit;
import io.bg3.server.log.RotatedFile;
import io.bg3.server.request.EvaluatedRequests;
import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.node.ObjectNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of slow queries: a line of JSON for each request that has run for the threshold or
 * longer, in a file of its own.
 *
 * <ul>
 *   <li>S1: a line holds no value of a parameter, of bytecode, or of the graph; only a text is
 *       written as it was sent.
 *   <li>S2: all of a client's words are escaped and cut, so that a client can neither forge a line
 *       nor make one longer than some thousand characters.
 *   <li>S3: {@value #EACH} lines of a user, or of an address where there are no users, and {@value
 *       #ALL} of all are written in ten seconds. A later line tells how many others were left out.
 * </ul>
 *
 * <p>Threads: any, but none that may not wait for a disk.
 */
public final class SlowQueryLog implements EvaluatedRequests, AutoCloseable {
  private static final String NAME = "bg3.slow";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final Logger FAILURES = LoggerFactory.getLogger(SlowQueryLog.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int EACH = 20;
  private static final int ALL = 100;

  private final RotatedFile file;
  private final long thresholdNanos;
  private final LineLimit limit = new LineLimit(EACH, ALL, System::nanoTime);

  private SlowQueryLog(RotatedFile file, long thresholdMillis) {
    this.file = file;
    this.thresholdNanos = TimeUnit.MILLISECONDS.toNanos(thresholdMillis);
  }

  /**
   * Begins the log.
   *
   * @param settings of a log that is on
   * @throws IOException if its file cannot be opened
   */
  public static SlowQueryLog open(SlowQuerySettings settings) throws IOException {
    RotatedFile file =
        RotatedFile.open(
            NAME,
            settings.file().orElseThrow(),
            settings.retention(),
            new Line(),
            Optional.empty());
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(NAME).setLevel(Level.INFO);
    }
    return new SlowQueryLog(file, settings.thresholdMillis());
  }

  @Override
  public boolean notes(long nanos) {
    return nanos >= thresholdNanos;
  }

  @Override
  public void ended(RunningRequest running, RequestMessage request, Channel channel) {
    long nanos = running.elapsedNanos();
    if (nanos < thresholdNanos) {
      return;
    }
    limit.ended().forEach(SlowQueryLog::writeSuppressed);
    if (limit.admits(running.owner())) {
      try {
        LOG.info("{}", line(new EndedQuery(running, request, channel), nanos));
      } catch (RuntimeException e) { // the request is ended all the same
        FAILURES.warn("a slow query was not logged: id={}", running.scheduled().number(), e);
      }
    }
  }

  private static ObjectNode line(EndedQuery query, long nanos) {
    ObjectNode line = JSON.createObjectNode();
    line.put("time", Instant.now().toString());
    line.put("millis", TimeUnit.NANOSECONDS.toMillis(nanos));
    line.put("graph", query.graph());
    line.put("user", query.user());
    line.put("address", query.address());
    line.put("id", query.id());
    line.put("outcome", query.outcome());
    line.put("conflicts", query.isConflict() ? 1 : 0);
    query.allocatedBytes().ifPresent(bytes -> line.put("allocatedBytes", bytes));
    query.results().ifPresent(results -> line.put("results", results));
    putRead(line, query.read());
    line.put("query", query.query());
    Map<String, String> parameters = query.parameters();
    if (!parameters.isEmpty()) {
      ObjectNode kinds = line.putObject("parameters");
      parameters.forEach(kinds::put);
    }
    query.plan().ifPresent(plan -> line.put("plan", plan));
    return line;
  }

  private static void putRead(ObjectNode line, ReadCounts read) {
    line.put(Bg3ProfileStep.PAGES, read.pages());
    line.put(Bg3ProfileStep.ENTRIES, read.entries());
    line.put(Bg3ProfileStep.LOOK_UPS, read.lookUps());
    line.put(Bg3ProfileStep.FULL_SCANS, read.fullScans());
    line.put(Bg3ProfileStep.DEVICE_READS, read.deviceReads());
    line.put(Bg3ProfileStep.DEVICE_BYTES, read.deviceBytes());
  }

  private static void writeSuppressed(LineLimit.Suppressed lines) {
    ObjectNode line = JSON.createObjectNode();
    line.put("time", Instant.now().toString());
    line.put("user", EndedQuery.shown(lines.key()));
    line.put("linesLeftOut", lines.count());
    LOG.info("{}", line);
  }

  @Override
  public void close() {
    List<LineLimit.Suppressed> rest = limit.end();
    rest.forEach(SlowQueryLog::writeSuppressed);
    file.close();
  }

  /** Writes the message alone. */
  private static final class Line extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
      return event.getFormattedMessage() + "\n";
    }
  }
}
