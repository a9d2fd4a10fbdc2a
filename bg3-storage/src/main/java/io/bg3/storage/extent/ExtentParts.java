package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The state that the parts of an {@link ExtentStore} share: those that read, write and begin
 * extents.
 *
 * @param disk where the files are
 * @param files the open ones
 * @param extents all extents that are there, by their numbers
 * @param failure after which nothing is written
 * @param counters bytes of all extents
 * @param unsynced extents that were written to and not synced
 * @param unnamed files that no manifest names
 */
record ExtentParts(
    Disk disk,
    ExtentSettings settings,
    ExtentFiles files,
    Map<Integer, Extent> extents,
    FirstFailure failure,
    ExtentCounters counters,
    UnsyncedExtents unsynced,
    UnnamedFiles unnamed) {
  /** Of a store without extents. */
  static ExtentParts of(Disk disk, ExtentSettings settings) {
    ExtentFiles files = new ExtentFiles(disk, settings);
    FirstFailure failure = new FirstFailure();
    return new ExtentParts(
        disk,
        settings,
        files,
        new ConcurrentHashMap<>(),
        failure,
        new ExtentCounters(settings.extentSize()),
        new UnsyncedExtents(disk, files, failure),
        new UnnamedFiles(disk));
  }

  /**
   * The extent of a record.
   *
   * @throws NoSuchExtentException if it is not there (any more)
   */
  Extent extentOf(long location) {
    Extent extent = extents.get(Location.extent(location));
    if (extent == null) {
      throw new NoSuchExtentException(location);
    }
    return extent;
  }

  /** Counts a record as garbage. */
  void release(long location) {
    extentOf(location).release(location, counters.appendedEver(), counters.window());
    counters.released(location);
  }
}
