package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * A line of the log in a file: time, level, the last part of the logger's name and the message, and
 * the beginning of the stack trace of what BG3 itself logs; as {@code conf/logback.xml} writes it
 * to the standard error.
 *
 * <p>Threads: any.
 */
public final class LogLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());
  private static final String FRAMES = "5";

  private final LineConverter line = new LineConverter();
  private final OwnTraceConverter trace = new OwnTraceConverter();

  /** A layout that has written nothing yet. */
  public LogLayout() {
    trace.setOptionList(List.of(FRAMES));
    trace.start();
  }

  /** The time of an event, as all logs write it. */
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
