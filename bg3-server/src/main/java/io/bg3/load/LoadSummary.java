package io.bg3.load;

/**
 * The result of a load.
 *
 * @param vertices number of vertices committed
 * @param edges number of edges committed
 * @param renamed number of edges whose generated id differs from the id in the file
 * @param propertyIds number of properties whose id differs from the id in the file
 * @param bad number of rows skipped
 * @param bytes total size of the files
 * @param nanos duration in nanoseconds
 */
public record LoadSummary(
    long vertices, long edges, long renamed, long propertyIds, long bad, long bytes, long nanos) {

  /** Vertices and edges loaded a second. */
  public double elementsPerSecond() {
    return (vertices + edges) / seconds();
  }

  /** Bytes of the files loaded a second. */
  public double bytesPerSecond() {
    return bytes / seconds();
  }

  /** The duration of the load. */
  public double seconds() {
    return Math.max(nanos, 1) / 1e9;
  }
}
