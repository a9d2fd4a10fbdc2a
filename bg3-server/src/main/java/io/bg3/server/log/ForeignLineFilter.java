package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a few lines of each logger of another library pass in ten seconds, for an appender of
 * logback. What it leaves out is counted, and the count is written when the ten seconds are over.
 * BG3's own lines pass: those that clients cause are limited where they are written.
 *
 * <p>Threads: any.
 */
public final class ForeignLineFilter extends Filter<ILoggingEvent> {
  /** The logger of the counts; one of BG3's own, so that this filter lets it pass. */
  private static final String NAME = "bg3.log";

  private final LineLimit limit = new LineLimit();
  private ScheduledFuture<?> summaries;

  @Override
  public void start() {
    summaries =
        getContext()
            .getScheduledExecutorService()
            .scheduleWithFixedDelay(
                () -> summarise(limit.ended()),
                LineLimit.WINDOW_SECONDS,
                LineLimit.WINDOW_SECONDS,
                TimeUnit.SECONDS);
    super.start();
  }

  @Override
  public void stop() {
    summaries.cancel(false);
    super.stop();
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    boolean passes =
        !ForeignLines.isForeign(event) || limit.admits("logger=" + event.getLoggerName());
    return passes ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private static void summarise(List<LineLimit.Suppressed> suppressed) {
    Logger log = LoggerFactory.getLogger(NAME);
    for (LineLimit.Suppressed one : suppressed) {
      log.warn("more lines were left out: count={}, {}", one.count(), one.key());
    }
  }
}
