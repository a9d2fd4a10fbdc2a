package io.bg3.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * A file that a logger writes to instead of where it wrote before, readable by its owner only. A
 * new file begins each day, and when one has reached its size: the one before gets its day and a
 * number behind its name. The oldest are deleted when they are too old, or too much in all. Where a
 * file cannot be opened or written, its lines are lost until it can be, are counted, and the
 * standard error says so.
 *
 * <p>Threads: any; opened and closed by one.
 */
public final class RotatedFile implements AutoCloseable {
  /** A file has at most this part of all that is kept, and at most this many bytes. */
  private static final int PARTS = 8;

  private static final long LARGEST = 64L << 20;

  /** Have a meaning in the pattern for the names of old files, and cannot be escaped there. */
  private static final Pattern PATTERN_SIGNS = Pattern.compile("[%()]");

  private static final AtomicLong LOST = new AtomicLong();

  /**
   * The time for which files are kept.
   *
   * @param days after which a file is deleted, counted from its own
   * @param bytes of all files together; the oldest beyond that are deleted
   */
  public record Retention(int days, long bytes) {
    long ofOneFile() {
      return Math.min(LARGEST, Math.max(1, bytes / PARTS));
    }
  }

  private final Logger logger;
  private final boolean wasAdditive;
  private final List<Appender<ILoggingEvent>> replaced;
  private final RollingFileAppender<ILoggingEvent> appender;

  private RotatedFile(Logger logger, RollingFileAppender<ILoggingEvent> appender) {
    this.logger = logger;
    this.wasAdditive = logger.isAdditive();
    this.appender = appender;
    this.replaced = new ArrayList<>();
    Iterator<Appender<ILoggingEvent>> appenders = logger.iteratorForAppenders();
    appenders.forEachRemaining(replaced::add);
  }

  /**
   * Has a logger write to a file from now on.
   *
   * @param layout of a line, its end included
   * @param filter of what is written, if not everything is
   * @throws IOException if that cannot be done
   */
  public static RotatedFile open(
      String logger,
      Path file,
      Retention retention,
      Layout<ILoggingEvent> layout,
      Optional<Filter<ILoggingEvent>> filter)
      throws IOException {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (!(factory instanceof LoggerContext context)) {
      throw new IOException("a log file needs logback: found=" + factory.getClass().getName());
    }
    Path path = file.toAbsolutePath().normalize();
    if (PATTERN_SIGNS.matcher(path.toString()).find()) {
      throw new IOException("the path of a log must not contain % ( or ): file=" + path);
    }
    try {
      Files.createDirectories(path.getParent());
      ReopeningFile.makePrivate(path);
    } catch (IOException e) {
      throw new IOException("cannot write a log: file=" + path, e);
    }
    RollingFileAppender<ILoggingEvent> appender = new PrivateAppender();
    appender.setContext(context);
    appender.setName("bg3-file " + path);
    appender.setFile(path.toString());
    appender.setEncoder(encoder(context, layout));
    filter.ifPresent(
        one -> {
          one.setContext(context);
          one.start();
          appender.addFilter(one);
        });
    appender.setRollingPolicy(policy(context, appender, path, retention));
    appender.start();
    if (!appender.isStarted()) {
      throw new IOException("cannot write a log: file=" + path);
    }
    return new RotatedFile(context.getLogger(logger), appender).replace();
  }

  private static LayoutWrappingEncoder<ILoggingEvent> encoder(
      LoggerContext context, Layout<ILoggingEvent> layout) {
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    return encoder;
  }

  private static SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy(
      LoggerContext context,
      RollingFileAppender<ILoggingEvent> appender,
      Path path,
      Retention retention) {
    SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(path + ".%d{yyyy-MM-dd}.%i");
    policy.setMaxFileSize(new FileSize(retention.ofOneFile()));
    policy.setMaxHistory(retention.days());
    policy.setTotalSizeCap(new FileSize(retention.bytes()));
    policy.setCleanHistoryOnStart(true);
    policy.start();
    return policy;
  }

  private RotatedFile replace() {
    replaced.forEach(logger::detachAppender);
    logger.setAdditive(false);
    logger.addAppender(appender);
    return this;
  }

  /** Has the logger write again where it wrote before. */
  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(wasAdditive);
    replaced.forEach(logger::addAppender);
    appender.stop();
  }

  /** Lines that could not be written, of all log files of this process since it began. */
  public static long linesLost() {
    return LOST.get();
  }

  /** Goes on with the next file where one cannot be opened or written. */
  private static final class PrivateAppender extends RollingFileAppender<ILoggingEvent> {
    @Override
    public void openFile(String name) throws IOException {
      ReopeningFile file =
          new ReopeningFile(new File(name).toPath(), LOST, System.err, System::nanoTime);
      if (!isStarted()) {
        file.open(); // the server does not start without its log
      }
      setOutputStream(file);
    }
  }
}
