package io.bg3.linkbench;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.ILoggerFactory;

/**
 * Notices that BG3's warnings and errors reach nobody. LinkBench's jar contains an SLF4J binding
 * for Log4j, and LinkBench takes away all appenders but those of its own classes. If its jar comes
 * first on the class path, that binding is used; if BG3's jars do, Logback is, which writes to the
 * standard error.
 *
 * <p>Threads: any.
 */
final class LostLog {
  private static final String LOGBACK = "ch.qos.logback.";
  private static final String NOT_YET = "org.slf4j.helpers.SubstituteLoggerFactory";
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private LostLog() {}

  /** Says so once in a process. */
  static void warn(ILoggerFactory bound, PrintStream to) {
    String message = message(bound);
    if (message != null && WARNED.compareAndSet(false, true)) {
      to.println(message);
    }
  }

  /** The warning, null if BG3's log is where it should be. */
  static String message(ILoggerFactory bound) {
    String name = bound.getClass().getName();
    if (name.startsWith(LOGBACK) || name.equals(NOT_YET)) { // another thread is binding it
      return null;
    }
    return "bg3: BG3's warnings and errors may be lost: they go to "
        + name
        + ", not to Logback. Put BG3's jars before LinkBench's on the class path.";
  }
}
