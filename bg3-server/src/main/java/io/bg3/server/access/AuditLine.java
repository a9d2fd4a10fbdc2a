package io.bg3.server.access;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.slf4j.Logger;

/**
 * A line of the audit log that is written later, with the time at which it was made. Threads: made
 * by one, written by another, to which a queue publishes it.
 */
final class AuditLine {
  private final long millis;
  private final String format;
  private final Object[] fields;
  private final int characters;

  /**
   * @param millis the time
   * @param format of the message
   * @param fields its arguments, which nobody changes
   * @param characters about those of the message
   */
  AuditLine(long millis, String format, Object[] fields, int characters) {
    this.millis = millis;
    this.format = format;
    this.fields = fields;
    this.characters = characters;
  }

  int characters() {
    return characters;
  }

  /** Writes it; only logback takes the time of a line from somebody else. */
  void writeTo(Logger log) {
    if (!(log instanceof ch.qos.logback.classic.Logger logback)) {
      log.info(format, fields);
    } else if (logback.isInfoEnabled()) {
      LoggingEvent event =
          new LoggingEvent(AuditLine.class.getName(), logback, Level.INFO, format, null, fields);
      event.setInstant(Instant.ofEpochMilli(millis));
      logback.callAppenders(event);
    }
  }
}
