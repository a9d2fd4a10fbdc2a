package io.bg3.core.recovery;

import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties extents of images: copies the images in them that the page table names, page after page,
 * and has the rows name the copies. The {@link Reclaimer} chooses the extents.
 *
 * <p>Threads: guarded by the {@link RowLock}, but for {@link #unreadable}.
 */
final class ImageMover {
  private static final Logger LOG = LoggerFactory.getLogger(ImageMover.class);

  /** Bytes that are copied in one slice: no flush waits longer. */
  static final int SLICE_BYTES = 1 << 20;

  /** Pages whose images are copied in one slice; each image is a read of the disk. */
  private static final int SLICE_PAGES = 256;

  /** Rows that are looked at in one slice. */
  private static final int SLICE_ROWS = 1 << 16;

  private final PageTable table;
  private final ExtentStore extents;
  private final Set<Integer> unreadable = ConcurrentHashMap.newKeySet();
  private Set<Integer> victims = Set.of();
  private int next; // page

  /** Moves images of a store. */
  ImageMover(OpenedStore store) {
    this.table = store.space().table();
    this.extents = store.extents();
  }

  /** Begins a round. */
  void begin(Collection<Integer> chosen) {
    victims = Set.copyOf(chosen);
    next = victims.isEmpty() ? table.end() : 1;
  }

  /** Whether there are rows left to look at in this round. */
  boolean hasMore() {
    return next < table.end();
  }

  /** Extents with an image that could not be read; they are not emptied. Threads: any. */
  Set<Integer> unreadable() {
    return Collections.unmodifiableSet(unreadable);
  }

  /**
   * Copies images of the next pages.
   *
   * @param result is told of the rows that change
   * @return false if there was no room on the disk
   * @throws IOException if the disk fails
   */
  boolean slice(FlushResult result) throws IOException {
    boolean room = true;
    long bytes = 0;
    int pages = 0;
    int end = Math.min(table.end(), next + SLICE_ROWS);
    while (room && next < end && bytes < SLICE_BYTES && pages < SLICE_PAGES) {
      PageRow row = table.row(next);
      if (hasImageInVictim(row)) {
        long before = extents.appendedBytes();
        room = move(next, row, result);
        bytes += extents.appendedBytes() - before;
        pages++;
      }
      next += room ? 1 : 0;
    }
    return room;
  }

  /**
   * Copies the images of a page that lie in victims. A removed page is passed over: the next
   * manifest does not name it.
   *
   * @param old row of the page
   * @return false if there was no room on the disk
   */
  private boolean move(int page, PageRow old, FlushResult result) throws IOException {
    if (isRemoved(page)) {
      return true;
    }
    long base = copied(page, old.base());
    if (base == Location.NONE && old.base() != Location.NONE) {
      return false;
    }
    long delta = copied(page, old.delta());
    boolean room = delta != Location.NONE || old.delta() == Location.NONE;
    PageRow now = new PageRow(base, room ? delta : old.delta());
    if (!now.equals(old)) {
      result.moves(page, old, now);
      table.store(page, now.base(), now.delta());
      result.moved(page, old, now);
    }
    return room;
  }

  private boolean hasImageInVictim(PageRow row) {
    return isVictim(row.base()) || isVictim(row.delta());
  }

  private boolean isVictim(long location) {
    return location != Location.NONE && victims.contains(Location.extent(location));
  }

  private boolean isRemoved(int page) {
    return table.block(page) == PageTable.DEAD;
  }

  /**
   * Copies an image if it lies in a victim and can be read.
   *
   * @return where it is now; {@link Location#NONE} if the disk is full, or there is no image
   */
  private long copied(int page, long location) throws IOException {
    if (!isVictim(location)) {
      return location;
    }
    ExtentRecord image = read(page, location);
    if (image == null) {
      return location;
    }
    try {
      return extents.appendMoved(image);
    } catch (IOException e) {
      if (extents.failure() != null) {
        throw e;
      }
      return Location.NONE;
    }
  }

  /** An image of a page; null if it cannot be read, which is told to the thread that needs it. */
  private ExtentRecord read(int page, long location) {
    Exception why;
    try {
      ExtentRecord image = extents.read(location);
      if (image.key() == page) {
        return image;
      }
      why = new IllegalStateException("it is an image of page " + image.key());
    } catch (UnreadableException | NoSuchExtentException | IOException e) {
      why = e;
    }
    if (unreadable.add(Location.extent(location))) {
      LOG.warn(
          "an extent is not emptied, because an image in it cannot be read: page={}, location={},"
              + " reason={}",
          page,
          Location.toString(location),
          why.getMessage());
    }
    return null;
  }
}
