package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentUsage;
import java.util.List;

/**
 * The bytes that some extents take, and those of them that are wanted.
 *
 * @param written bytes in the files
 * @param live bytes of them that are wanted, not above {@code written}
 */
public record SpaceUsage(long written, long live) {
  static SpaceUsage of(List<ExtentUsage> extents) {
    return new SpaceUsage(
        extents.stream().mapToLong(ExtentUsage::written).sum(),
        extents.stream().mapToLong(ExtentUsage::liveInFile).sum());
  }

  /** The space if so many of the live bytes were not wanted. */
  SpaceUsage without(long unwanted) {
    return new SpaceUsage(written, Math.max(0, live - unwanted));
  }

  /** Written bytes for each live byte; 1 if there is none. */
  public double amplification() {
    return live == 0 ? 1 : (double) written / live;
  }
}
