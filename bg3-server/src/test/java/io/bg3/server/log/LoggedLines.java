package io.bg3.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The events of a logger while this is open. */
final class LoggedLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  LoggedLines(String name) {
    this.logger = (Logger) LoggerFactory.getLogger(name);
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
  }

  List<String> lines() {
    return List.copyOf(appender.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  List<ILoggingEvent> events() {
    return List.copyOf(appender.list);
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
  }
}
