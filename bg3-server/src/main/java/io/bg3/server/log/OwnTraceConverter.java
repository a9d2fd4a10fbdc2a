package io.bg3.server.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * The stack trace of an event of BG3's own, for a pattern of logback; nothing for an event of
 * another library.
 *
 * <p>Threads: any.
 */
public final class OwnTraceConverter extends ThrowableProxyConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return ForeignLines.isForeign(event) ? "" : super.convert(event);
  }
}
