package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Lets a few lines of each logger of another library pass in ten seconds, and some of each user in
 * the audit log, for an appender of logback. Lines that it leaves out are counted, and the count is
 * written when the ten seconds are over. BG3's other lines pass: those that clients cause are
 * limited where they are written. (A file of its own has every line of the audit log.)
 *
 * <p>Threads: any.
 */
public final class ForeignLineFilter extends Filter<ILoggingEvent> {
  /** Marks a line of the audit log whose writer limits it, so that it takes no line from users. */
  public static final Marker LIMITED = MarkerFactory.getMarker("bg3.limited");

  /** The logger of the counts; one of BG3's own, so that this filter lets it pass. */
  private static final String NAME = "bg3.log";

  /** The logger of the audit log; its lines have the user as their first argument. */
  private static final String AUDIT = "bg3.audit";

  private static final int AUDIT_EACH = 20;
  private static final int AUDIT_ALL = 100;
  private static final int NAME_LENGTH = 64;

  private final LineLimit limit = new LineLimit();
  private final LineLimit audit = new LineLimit(AUDIT_EACH, AUDIT_ALL);
  private ScheduledFuture<?> summaries;

  @Override
  public void start() {
    summaries =
        getContext()
            .getScheduledExecutorService()
            .scheduleWithFixedDelay(
                this::summarise,
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
    String logger = event.getLoggerName();
    boolean passes = true;
    if (logger.equals(AUDIT)) {
      passes =
          isLimited(event) || audit.admits("logger=" + AUDIT + ", user=\"" + user(event) + '"');
    } else if (ForeignLines.isForeign(event)) {
      passes = limit.admits("logger=" + logger);
    }
    return passes ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private static boolean isLimited(ILoggingEvent event) {
    List<Marker> markers = event.getMarkerList();
    return markers != null && markers.contains(LIMITED);
  }

  private static String user(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    String user = arguments == null || arguments.length == 0 ? "" : String.valueOf(arguments[0]);
    return user.substring(0, Math.min(NAME_LENGTH, user.length()));
  }

  private void summarise() {
    Logger log = LoggerFactory.getLogger(NAME);
    LineLimit.summarise(log, limit.ended());
    LineLimit.summarise(log, audit.ended());
  }
}
