package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Tells the lines of other libraries from BG3's own. What TinkerPop and Netty log holds what
 * clients send, and a stack trace for each request that fails.
 */
final class ForeignLines {
  private ForeignLines() {}

  static boolean isForeign(ILoggingEvent event) {
    String logger = event.getLoggerName();
    return !logger.startsWith("io.bg3.") && !logger.startsWith("bg3.");
  }
}
