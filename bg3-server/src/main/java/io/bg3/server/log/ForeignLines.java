package io.bg3.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Tells log events of other libraries from BG3's own. TinkerPop and Netty log bytes that clients
 * send, and a stack trace for each request that fails, so their events need limits.
 */
final class ForeignLines {
  private ForeignLines() {}

  /** Whether a library other than BG3 logged the event. */
  static boolean isForeign(ILoggingEvent event) {
    String logger = event.getLoggerName();
    return !logger.startsWith("io.bg3.") && !logger.startsWith("bg3.");
  }
}
