package io.bg3.server.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/**
 * The stack trace of an event of BG3's own, for a pattern of logback; nothing for an event of
 * another library. A message of an exception is one line, whatever is in it. The option is the
 * number of frames of each exception.
 */
public final class OwnTraceConverter extends ThrowableProxyConverter {
  private static final int CAUSES = 10;
  private static final int FRAMES = 5;

  @Override
  public String convert(ILoggingEvent event) {
    return ForeignLines.isForeign(event) ? "" : super.convert(event);
  }

  @Override
  protected String throwableProxyToString(IThrowableProxy thrown) {
    StringBuilder trace = new StringBuilder();
    IThrowableProxy cause = thrown;
    for (int i = 0; i < CAUSES && cause != null; i++) {
      String line = cause.getClassName() + ": " + cause.getMessage();
      trace
          .append(i == 0 ? "" : "Caused by: ")
          .append(Printable.cut(line, ClientLog.LENGTH))
          .append(System.lineSeparator());
      StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
      for (int frame = 0; frame < Math.min(frames(), frames.length); frame++) {
        trace.append('\t').append(frames[frame]).append(System.lineSeparator());
      }
      cause = cause.getCause();
    }
    return trace.toString();
  }

  private int frames() {
    try {
      return getFirstOption() == null ? FRAMES : Integer.parseInt(getFirstOption());
    } catch (NumberFormatException e) {
      return FRAMES; // such as "full", which a log of what clients cause cannot have
    }
  }
}
