package io.bg3.server.query;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.guard.ValueLimit;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.LineLimit;
import io.bg3.server.log.Printable;
import io.bg3.server.log.RotatedFile;
import io.bg3.server.request.EvaluatedRequests;
import io.bg3.server.request.QueryShape;
import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.util.Tokens;
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

  private static final int QUERY = 2_000;
  private static final int PLAN = 2_000;
  private static final int USER = 200;
  private static final int PARAMETERS = 20;
  private static final int PARAMETER = 50;

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
  public void ended(RunningRequest running, RequestMessage request, Channel channel) {
    long nanos = running.elapsedNanos();
    if (nanos < thresholdNanos) {
      return;
    }
    limit.ended().forEach(SlowQueryLog::writeSuppressed);
    if (limit.admits(running.owner())) {
      try {
        LOG.info("{}", line(running, request, channel, nanos));
      } catch (RuntimeException e) { // the request is ended all the same
        FAILURES.warn("a slow query was not logged: id={}", running.scheduled().number(), e);
      }
    }
  }

  private static ObjectNode line(
      RunningRequest running, RequestMessage request, Channel channel, long nanos) {
    ObjectNode line = JSON.createObjectNode();
    line.put("time", Instant.now().toString());
    line.put("millis", TimeUnit.NANOSECONDS.toMillis(nanos));
    line.put("user", Printable.unquoted(running.owner(), USER));
    line.put("address", ClientLog.address(channel.remoteAddress()));
    line.put("id", running.scheduled().number());
    line.put("outcome", outcome(running));
    line.put("conflicts", isConflict(running) ? 1 : 0);
    running.allocatedBytes().ifPresent(bytes -> line.put("allocatedBytes", bytes));
    Object plan = running.plan();
    if (plan instanceof Traversal.Admin<?, ?> traversal) {
      ValueLimit.results(traversal).ifPresent(results -> line.put("results", results));
    }
    addQuery(line, request);
    if (plan instanceof Traversal.Admin<?, ?> traversal) {
      line.put("plan", Printable.unquoted(PlanText.of(traversal, PLAN), PLAN));
    }
    return line;
  }

  private static void addQuery(ObjectNode line, RequestMessage request) {
    Object query = request.getArgs().get(Tokens.ARGS_GREMLIN);
    line.put(
        "query",
        Printable.unquoted(
            query instanceof Bytecode bytecode
                ? QueryShape.of(bytecode, QUERY)
                : String.valueOf(query == null ? request.getOp() : query),
            QUERY));
    if (request.getArgs().get(Tokens.ARGS_BINDINGS) instanceof Map<?, ?> parameters
        && !parameters.isEmpty()) {
      ObjectNode kinds = line.putObject("parameters");
      QueryShape.kinds(parameters, PARAMETERS, PARAMETER)
          .forEach((name, kind) -> kinds.put(Printable.unquoted(name, PARAMETER), kind));
    }
  }

  private static String outcome(RunningRequest running) {
    Optional<EndReason> ending = running.ending();
    if (ending.isPresent() && !running.hasCommitted()) {
      return ending.get().name().toLowerCase(Locale.ROOT);
    }
    if (running.failure().isEmpty()) {
      return "success";
    }
    return isConflict(running) ? "conflict" : "error";
  }

  private static boolean isConflict(RunningRequest running) {
    return running.failure().filter(TemporaryException.class::isInstance).isPresent();
  }

  private static void writeSuppressed(LineLimit.Suppressed lines) {
    ObjectNode line = JSON.createObjectNode();
    line.put("time", Instant.now().toString());
    line.put("user", Printable.unquoted(lines.key(), USER));
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
