package io.bg3.server.query;

import io.bg3.server.log.RotatedFile.Retention;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the log of slow queries.
 *
 * @param file its file; empty if there is none
 * @param retention how long files are kept
 * @param thresholdMillis the time from which on a query is slow; 0 if none is
 */
public record SlowQuerySettings(Optional<Path> file, Retention retention, long thresholdMillis) {
  /** Whether there is such a log. */
  public boolean isOn() {
    return file.isPresent() && thresholdMillis > 0;
  }
}
