package io.bg3.export;

/**
 * What an export did.
 *
 * @param vertices written
 * @param edges written
 * @param losses that were allowed
 * @param bytes of the files
 * @param nanos it took
 */
public record ExportSummary(long vertices, long edges, long losses, long bytes, long nanos) {
  /** How long it took. */
  public double seconds() {
    return Math.max(nanos, 1) / 1e9;
  }
}
