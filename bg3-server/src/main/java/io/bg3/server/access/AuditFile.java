package io.bg3.server.access;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import io.bg3.server.log.LogLayout;
import io.bg3.server.log.RotatedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * A file that the {@link AuditLog} is written to, and nothing else, with all its lines. Readable by
 * its owner only.
 */
public final class AuditFile implements AutoCloseable {
  private final RotatedFile file;

  private AuditFile(RotatedFile file) {
    this.file = file;
  }

  /**
   * Writes to a file from now on.
   *
   * @throws IOException if that cannot be done
   */
  public static AuditFile open(Path file, RotatedFile.Retention retention) throws IOException {
    AuditFile opened =
        new AuditFile(
            RotatedFile.open(AuditLog.NAME, file, retention, new Line(), Optional.empty()));
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Logger logger = context.getLogger(AuditLog.NAME);
      logger.setLevel(Level.INFO);
    }
    return opened;
  }

  @Override
  public void close() {
    file.close();
  }

  /** Time and message; the messages are escaped where they are made. */
  private static final class Line extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
      return LogLayout.time(event) + " " + event.getFormattedMessage() + System.lineSeparator();
    }
  }
}
