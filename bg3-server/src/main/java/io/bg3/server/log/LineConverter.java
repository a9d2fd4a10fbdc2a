package io.bg3.server.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;

/**
 * The message of an event as one line, for a pattern of logback: no line breaks, no control
 * characters. A line of another library is cut to {@value ClientLog#LENGTH} characters and names
 * its exception, since {@link OwnTraceConverter} shows no trace of it.
 *
 * <p>Threads: any.
 */
public final class LineConverter extends ClassicConverter {
  private static final int LONGEST = 10_000;

  @Override
  public String convert(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(event.getFormattedMessage());
    boolean foreign = ForeignLines.isForeign(event);
    IThrowableProxy thrown = event.getThrowableProxy();
    if (foreign && thrown != null) {
      line.append(": ").append(thrown.getClassName()).append(": ").append(thrown.getMessage());
    }
    return Printable.cut(line.toString(), foreign ? ClientLog.LENGTH : LONGEST);
  }
}
