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
 * A file that receives every line of the {@link AuditLog} and no other line. Only its owner can
 * read it. Threads: any.
 */
public final class AuditFile implements AutoCloseable {
  private final RotatedFile file;

  private AuditFile(RotatedFile file) {
    this.file = file;
  }

  /**
   * Directs the audit log to a file, until {@link #close}.
   *
   * @throws IOException if the file cannot be opened
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

  /** Writes time and message; the audit log has escaped the message. */
  private static final class Line extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
      return LogLayout.time(event) + " " + event.getFormattedMessage() + System.lineSeparator();
    }
  }
}
