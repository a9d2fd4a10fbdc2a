package io.bg3.core.table;

import io.bg3.storage.extent.Location;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Where a page is stored.
 *
 * @param base location of the base image, {@link Location#NONE} if the page is not stored
 * @param delta location of the delta image over it, {@link Location#NONE} if there is none
 */
public record PageRow(long base, long delta) {
  /** Of a page that is not stored. */
  public static final PageRow NONE = new PageRow(Location.NONE, Location.NONE);

  /** Whether one of the two images lies there. */
  public boolean names(long location) {
    return location != Location.NONE && (location == base || location == delta);
  }

  /** The images that there are. */
  public Stream<Long> locations() {
    return LongStream.of(base, delta).filter(location -> location != Location.NONE).boxed();
  }
}
