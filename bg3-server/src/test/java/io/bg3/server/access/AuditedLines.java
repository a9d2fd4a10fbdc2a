package io.bg3.server.access;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The lines of the audit log, while this is open. */
final class AuditedLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.NAME);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  AuditedLines() {
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
  }

  List<String> lines() {
    return List.copyOf(appender.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** When they were made, in milliseconds of the system's clock. */
  List<Long> times() {
    return List.copyOf(appender.list).stream().map(ILoggingEvent::getTimeStamp).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
