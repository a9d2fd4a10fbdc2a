package io.bg3.core.recovery;

import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.PlaceOrder;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.RecordReadAhead;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties extents of images: copies the images in them that the page table names, and has the rows
 * name the copies. The {@link Reclaimer} chooses the extents.
 *
 * <p>The rows tell which pages have images there. The images of many pages are copied in the order
 * in which they lie, one extent after the other, so that small ones are read many at once.
 *
 * <p>Threads: guarded by the {@link RowLock}, but for {@link #unreadable}.
 */
final class ImageMover {
  private static final Logger LOG = LoggerFactory.getLogger(ImageMover.class);

  /** Bytes that are copied in one slice: no flush waits longer. */
  static final int SLICE_BYTES = 1 << 20;

  /** Images that are copied in one slice; each may be a read of the disk. */
  private static final int SLICE_IMAGES = 256;

  /** Rows that are looked at in one slice. */
  private static final int SLICE_ROWS = 1 << 16;

  /** Images that are put in order together. */
  private static final int SORTED_IMAGES = 1 << 18;

  private final PageTable table;
  private final ExtentStore extents;
  private final Set<Integer> unreadable = ConcurrentHashMap.newKeySet();
  private Set<Integer> victims = Set.of();
  private int next; // page whose row is looked at next
  private int end; // pages from here on came later, and have no image in a victim

  /** Pages of the images that were in victims when the rows were looked at, one for each image. */
  private int[] pages = new int[0];

  /** Where these images stand in the order in which they are copied. */
  private long[] places = {};

  private int found; // so many of them
  private int moved; // so many have been moved; 0 while rows are looked at
  private RecordReadAhead images; // of this round; null before the first

  /** Moves images of a store. */
  ImageMover(OpenedStore store) {
    this.table = store.space().table();
    this.extents = store.extents();
  }

  /** Begins a round. The extents are sealed. */
  void begin(Collection<Integer> chosen) {
    victims = Set.copyOf(chosen);
    images = extents.readAhead();
    end = table.end();
    next = victims.isEmpty() ? end : 1;
    found = 0;
    moved = 0;
  }

  /** Whether there are images left to copy in this round, or rows to look at. */
  boolean hasMore() {
    return next < end || moved < found;
  }

  /** Extents with an image that could not be read; they are not emptied. Threads: any. */
  Set<Integer> unreadable() {
    return Collections.unmodifiableSet(unreadable);
  }

  /**
   * Looks at the next rows; when enough have been looked at, copies the next images.
   *
   * @param result is told of the rows that change
   * @return false if there was no room on the disk
   * @throws IOException if the disk fails
   */
  boolean slice(FlushResult result) throws IOException {
    if (moved == found) {
      found = 0;
      moved = 0;
    }
    if (moved == 0 && findsMore()) {
      find();
      if (findsMore()) {
        return true;
      }
    }
    boolean room = true;
    long before = extents.appendedBytes();
    int last = Math.min(found, moved + SLICE_IMAGES);
    while (room && moved < last && extents.appendedBytes() - before < SLICE_BYTES) {
      room = move(pages[moved], result);
      moved += room ? 1 : 0;
    }
    return room;
  }

  /** Whether more rows are to be looked at before images are copied. */
  private boolean findsMore() {
    return next < end && found < SORTED_IMAGES;
  }

  /** Adds the images of the next rows, and puts all in order behind the last one. */
  private void find() {
    int last = Math.min(end, next + SLICE_ROWS);
    while (next < last && findsMore()) {
      PageRow row = table.row(next);
      add(next, row.base());
      add(next, row.delta());
      next++;
    }
    if (!findsMore()) {
      pages = PlaceOrder.sorted(Arrays.copyOf(places, found), Arrays.copyOf(pages, found));
    }
  }

  /** Adds an image if it lies in a victim. */
  private void add(int page, long location) {
    if (isVictim(location)) {
      if (found == Math.min(pages.length, places.length)) {
        int room = Math.max(64, 2 * found);
        pages = Arrays.copyOf(pages, room);
        places = Arrays.copyOf(places, room);
      }
      places[found] = order(location);
      pages[found++] = page;
    }
  }

  /**
   * Where an image stands among those that are copied: behind those of later extents. A checkpoint
   * writes pages in the order of their bases, so it soon supersedes images of the first extents
   * anyway.
   */
  private static long order(long place) {
    return (long) ~Location.extent(place) << Integer.SIZE | Location.offset(place);
  }

  /**
   * Where victims have the base or the delta of a page; if they have both, the one whose turn comes
   * first; {@link Location#NONE} if they have none.
   */
  private long place(PageRow row) {
    boolean base = isVictim(row.base());
    boolean delta = isVictim(row.delta());
    if (base && delta) {
      boolean baseFirst = Long.compareUnsigned(order(row.base()), order(row.delta())) < 0;
      return baseFirst ? row.base() : row.delta();
    }
    return base ? row.base() : delta ? row.delta() : Location.NONE;
  }

  /**
   * Copies an image of a page that lies in a victim. A removed page is passed over: the next
   * manifest does not name it.
   *
   * @return false if there was no room on the disk
   */
  private boolean move(int page, FlushResult result) throws IOException {
    PageRow old = table.row(page);
    long place = place(old);
    if (place == Location.NONE || isRemoved(page)) { // written or removed since it was found
      return true;
    }
    long copy = copied(page, place);
    if (copy != Location.NONE && copy != place) {
      PageRow now =
          place == old.base() ? new PageRow(copy, old.delta()) : new PageRow(old.base(), copy);
      result.moves(page, old, now);
      table.store(page, now.base(), now.delta());
      result.moved(page, old, now);
    }
    return copy != Location.NONE;
  }

  /** Whether an image lies in a victim from which all images so far could be read. */
  private boolean isVictim(long location) {
    return location != Location.NONE
        && victims.contains(Location.extent(location))
        && !unreadable.contains(Location.extent(location));
  }

  private boolean isRemoved(int page) {
    return table.block(page) == PageTable.DEAD;
  }

  /**
   * Copies an image if it can be read.
   *
   * @return where it is now; {@link Location#NONE} if the disk is full
   */
  private long copied(int page, long location) throws IOException {
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
      ExtentRecord image = images.read(location);
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
