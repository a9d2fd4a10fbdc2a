package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * The layout of a log file: time, level, last part of the logger's name, and message, followed for
 * BG3's own events by the first frames of the stack trace. {@code conf/logback.xml} has a matching
 * pattern for standard error.
 *
 * <p>Threads: any.
 */
public final class LogLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());
  private static final String FRAMES = "5";

  private final LineConverter line = new LineConverter();
  private final OwnTraceConverter trace = new OwnTraceConverter();

  /** Creates the layout and starts its converters. */
  public LogLayout() {
    trace.setOptionList(List.of(FRAMES));
    trace.start();
  }

  /** The time of an event in the format of all log files. */
  public static String time(ILoggingEvent event) {
    return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String logger = event.getLoggerName();
    return "%s %-5s %s - %s%n%s"
        .formatted(
            time(event),
            event.getLevel(),
            logger.substring(logger.lastIndexOf('.') + 1),
            line.convert(event),
            trace.convert(event));
  }
}
