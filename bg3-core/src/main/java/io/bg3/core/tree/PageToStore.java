package io.bg3.core.tree;

import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.table.PageRow;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NewRecord;

/**
 * A page whose image a flush has made and not written yet.
 *
 * @param old where it has been stored until now
 * @param leaf whether it is one
 * @param writesBase whether the image is a base
 * @param record with the image; null if the stored base holds all of the page
 * @param deltaBytes of the image, before compression, if it is a delta
 * @param references the values that the noted block refers to
 */
record PageToStore(
    NotedPages.Noted noted,
    PageRow old,
    boolean leaf,
    boolean writesBase,
    NewRecord record,
    long deltaBytes,
    LargeValueLocations references) {
  /** Where the page is stored when its record is at a location, {@link Location#NONE} without. */
  PageRow row(long location) {
    return writesBase ? new PageRow(location, Location.NONE) : new PageRow(old.base(), location);
  }
}
