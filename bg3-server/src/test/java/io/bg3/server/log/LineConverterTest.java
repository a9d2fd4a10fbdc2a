package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
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
    assertEquals(500, line.length());
    assertTrue(line.endsWith("x... 100000 characters in all"), line);
    line = new LineConverter().convert(event(FOREIGN, "\n".repeat(300), null));
    assertTrue(line.length() <= 500, "length=" + line.length());
    assertTrue(line.endsWith("\\u000a... 300 characters in all"), line);
  }

  @Test
  void aFaultOfTheStoreKeepsItsTrace() {
    LoggingEvent event = event("io.bg3.Any", "checkpoint failed", new IllegalStateException("c"));
    assertEquals("checkpoint failed", new LineConverter().convert(event));
    assertTrue(trace().convert(event).contains("\tat " + LineConverterTest.class.getName()));
  }

  @Test
  void theMessagesOfATraceAreOneLineEach() {
    Throwable cause = new IllegalArgumentException("c\nERROR forged");
    LoggingEvent event =
        event("io.bg3.Any", "failed", new IllegalStateException("a\r\nWARN forged", cause));
    List<String> lines = trace().convert(event).lines().toList();
    assertEquals(
        List.of(
            "java.lang.IllegalStateException: a\\u000d\\u000aWARN forged",
            "Caused by: java.lang.IllegalArgumentException: c\\u000aERROR forged"),
        lines.stream().filter(line -> !line.startsWith("\tat ")).toList());
    assertEquals(12, lines.size());
  }

  @Test
  void aLoggerOfAnotherLibraryIsLimitedInRate() {
    long begin = System.nanoTime();
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
    assertTrue(foreign >= 5 && foreign <= 5 * windows(begin), "lines=" + foreign);
    assertEquals(100, own);
  }

  @Test
  void theAuditLogIsLimitedForEachUserAndInAllWhereItGoesToTheLog() {
    long begin = System.nanoTime();
    ForeignLineFilter filter = new ForeignLineFilter();
    filter.setContext(context);
    filter.start();
    int ofOne = 0;
    int ofAll = 0;
    for (int i = 0; i < 500; i++) {
      ofOne += passes(filter, "ada") ? 1 : 0;
    }
    for (int i = 0; i < 500; i++) {
      ofAll += passes(filter, "user" + i) ? 1 : 0;
    }
    LoggingEvent limited = audited("guess");
    limited.addMarker(ForeignLineFilter.LIMITED);
    assertEquals(FilterReply.NEUTRAL, filter.decide(limited), "is limited where it is written");
    filter.stop();
    long windows = windows(begin);
    assertTrue(ofOne >= 20 && ofOne <= 20 * windows, "lines=" + ofOne);
    int all = ofOne + ofAll;
    assertTrue(all >= 100 && all <= 100 * windows, "lines=" + all);
  }

  /** How many windows of ten seconds may have begun. */
  private static long windows(long begin) {
    return 1 + (System.nanoTime() - begin) / 10_000_000_000L;
  }

  private boolean passes(ForeignLineFilter filter, String user) {
    return filter.decide(audited(user)) != FilterReply.DENY;
  }

  private LoggingEvent audited(String user) {
    Logger source = context.getLogger("bg3.audit");
    Object[] arguments = {user, "10.0.0.1"};
    return new LoggingEvent(
        Logger.class.getName(), source, Level.INFO, "request user={} from={}", null, arguments);
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
