package io.bg3.load;

/**
 * What a load did.
 *
 * @param vertices committed
 * @param edges committed
 * @param renamed edges that have another made-up id than the one with which they came
 * @param propertyIds properties that did not get the id with which they came
 * @param bad rows left out
 * @param bytes of the files
 * @param nanos it took
 */
public record LoadSummary(
    long vertices, long edges, long renamed, long propertyIds, long bad, long bytes, long nanos) {

  /** Vertices and edges a second. */
  public double elementsPerSecond() {
    return (vertices + edges) / seconds();
  }

  /** Bytes of the files a second. */
  public double bytesPerSecond() {
    return bytes / seconds();
  }

  /** How long it took. */
  public double seconds() {
    return Math.max(nanos, 1) / 1e9;
  }
}
