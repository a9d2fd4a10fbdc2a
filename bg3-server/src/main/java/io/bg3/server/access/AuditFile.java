package io.bg3.server.access;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import io.bg3.storage.file.PathStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * A file that the {@link AuditLog} is written to, and nothing else: a new one each day, the older
 * ones keep their day in their names and are never deleted. Readable by its owner only.
 */
public final class AuditFile implements AutoCloseable {
  private final Logger logger;
  private final RollingFileAppender<ILoggingEvent> appender;

  private AuditFile(Logger logger, RollingFileAppender<ILoggingEvent> appender) {
    this.logger = logger;
    this.appender = appender;
  }

  /**
   * Writes to a file from now on.
   *
   * @throws IOException if that cannot be done
   */
  public static AuditFile open(Path file) throws IOException {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (!(factory instanceof LoggerContext context)) {
      throw new IOException("the audit log needs logback: found=" + factory.getClass().getName());
    }
    Path path = file.toAbsolutePath().normalize();
    makePrivate(path);
    TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setFileNamePattern(path + ".%d");
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %msg%n");
    encoder.start();
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setName("bg3-audit-file");
    appender.setFile(path.toString());
    appender.setEncoder(encoder);
    policy.setParent(appender);
    policy.start();
    appender.setRollingPolicy(policy);
    appender.start();
    if (!appender.isStarted()) {
      throw new IOException("cannot write the audit log: file=" + path);
    }
    Logger logger = context.getLogger(AuditLog.NAME);
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(appender);
    return new AuditFile(logger, appender);
  }

  private static void makePrivate(Path file) throws IOException {
    try {
      Files.createDirectories(file.getParent());
      if (PathStatus.of(file) == PathStatus.ABSENT) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
    } catch (IOException e) {
      throw new IOException("cannot write the audit log: file=" + file, e);
    }
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    appender.stop();
  }
}
