package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

/** Formats events of other libraries and of BG3 as the shipped configuration does. */
class LineConverterTest {
  private static final String FOREIGN = "org.apache.tinkerpop.gremlin.server.Anything";

  private final LoggerContext context = new LoggerContext();

  @Test
  void aLineOfAnotherLibraryIsOneLineWithoutATrace() {
    LoggingEvent event = event(FOREIGN, "a\nb", new IllegalStateException("c\rd"));
    assertEquals(
        "a\\u000ab: java.lang.IllegalStateException: c\\u000dd",
        new LineConverter().convert(event));
    assertEquals("", trace().convert(event));
  }

  @Test
  void aLineOfAnotherLibraryHasAnEnd() {
    String line = new LineConverter().convert(event(FOREIGN, "x".repeat(100_000), null));
    assertEquals("x".repeat(500) + "... 99500 more characters", line);
  }

  @Test
  void aFaultOfTheStoreKeepsItsTrace() {
    LoggingEvent event = event("io.bg3.Any", "checkpoint failed", new IllegalStateException("c"));
    assertEquals("checkpoint failed", new LineConverter().convert(event));
    assertTrue(trace().convert(event).contains("\tat " + LineConverterTest.class.getName()));
  }

  @Test
  void aLoggerOfAnotherLibraryIsLimitedInRate() {
    ForeignLineFilter filter = new ForeignLineFilter();
    filter.setContext(context);
    filter.start();
    int foreign = 0;
    int own = 0;
    for (int i = 0; i < 100; i++) {
      foreign += filter.decide(event(FOREIGN, "m" + i, null)) == FilterReply.DENY ? 0 : 1;
      own += filter.decide(event("io.bg3.Any", "m" + i, null)) == FilterReply.DENY ? 0 : 1;
    }
    filter.stop();
    assertEquals(5, foreign);
    assertEquals(100, own);
  }

  @Test
  void theAuditLogIsLimitedForEachUserAndInAllWhereItGoesToTheLog() {
    ForeignLineFilter filter = new ForeignLineFilter();
    filter.setContext(context);
    filter.start();
    int ofOne = 0;
    int ofAll = 0;
    for (int i = 0; i < 500; i++) {
      ofOne += passes(filter, "ada") ? 1 : 0;
    }
    for (int i = 0; i < 500; i++) {
      ofAll += passes(filter, "guess" + i) ? 1 : 0;
    }
    filter.stop();
    assertEquals(20, ofOne);
    assertEquals(80, ofAll);
  }

  private boolean passes(ForeignLineFilter filter, String user) {
    Logger source = context.getLogger("bg3.audit");
    Object[] arguments = {user, "10.0.0.1"};
    LoggingEvent event =
        new LoggingEvent(
            Logger.class.getName(), source, Level.INFO, "login user={} from={}", null, arguments);
    return filter.decide(event) != FilterReply.DENY;
  }

  private static OwnTraceConverter trace() {
    OwnTraceConverter trace = new OwnTraceConverter();
    trace.start();
    return trace;
  }

  private LoggingEvent event(String logger, String message, Throwable thrown) {
    Logger source = context.getLogger(logger);
    return new LoggingEvent(Logger.class.getName(), source, Level.WARN, message, thrown, null);
  }
}
