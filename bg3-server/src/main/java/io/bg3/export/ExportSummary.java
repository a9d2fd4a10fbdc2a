package io.bg3.export;

/**
 * The result of an export.
 *
 * @param vertices number of vertices written
 * @param edges number of edges written
 * @param losses number of losses, which the caller has allowed
 * @param bytes total size of the files
 * @param nanos duration in nanoseconds
 */
public record ExportSummary(long vertices, long edges, long losses, long bytes, long nanos) {
  /** The duration of the export. */
  public double seconds() {
    return Math.max(nanos, 1) / 1e9;
  }
}
