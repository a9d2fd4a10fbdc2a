package io.bg3.core.recovery;

import io.bg3.core.table.PageRow;
import io.bg3.storage.extent.Location;
import io.bg3.storage.memory.MemoryBudget;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows that the last manifest names, of those pages whose row in the page table is another one
 * by now. Each page has up to two rows:
 *
 * <pre>
 *  row      where                     changes
 *  named    here, or in the table     when a manifest is replaced: then it is the current one
 *           if the page is not here
 *  current  page table                by every flush of the page
 * </pre>
 *
 * <p>So the pages that stand here are those of which the next manifest has to name another row, in
 * memory or not, changed since their flush or not. The images of a named row are kept until the
 * next manifest is written; an image that no manifest has named is garbage as soon as it is
 * superseded (R24).
 *
 * <p>A row is <i>reshaped</i> if only a checkpoint may name it: its page is new, or {@link
 * io.bg3.core.table.PageTable#markReshaped} was called for it (R52). Outside of a checkpoint, a
 * manifest of rows names the named row of such a page once more, and the current row of every other
 * page.
 *
 * <p>A hash table with linear probing; no page is ever taken out alone. 40 to 80 bytes a page,
 * charged to the store's budget, which may be overdrawn: the thread that flushes waits for nobody.
 *
 * <p>Threads: guarded by the {@link RowLock}, but for the sums of bytes.
 */
final class NamedRows {
  private static final int SMALLEST = 64;
  private static final int ENTRY_BYTES = Integer.BYTES + 2 * Long.BYTES + 1;

  private final MemoryBudget budget;
  private int[] pages = new int[0]; // 0: the place is free
  private long[] bases = new long[0];
  private long[] deltas = new long[0];
  private boolean[] reshaped = new boolean[0];
  private int count;
  private int reshapedCount;
  private volatile long bytes;
  private final AtomicLong keptBytes = new AtomicLong();
  private final AtomicLong keptOfReshaped = new AtomicLong();

  NamedRows(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Number of pages whose row is not the named one. */
  int count() {
    return count;
  }

  /** Number of them whose row only a checkpoint may name. */
  int reshapedCount() {
    return reshapedCount;
  }

  /** Bytes of the budget that the table takes. Any thread may ask. */
  long bytes() {
    return bytes;
  }

  /** Says that the row of a page changes, from this one. */
  void changes(int page, PageRow from) {
    if (2L * (count + 1) > pages.length) { // at least half of the places stay free
      grow(Math.max(SMALLEST, Math.multiplyExact(2, pages.length)));
    }
    int place = place(page);
    if (pages[place] == 0) {
      boolean isNew = from.base() == Location.NONE;
      put(place, page, from.base(), from.delta(), isNew);
      count++;
      reshapedCount += isNew ? 1 : 0;
    }
  }

  /**
   * Says that the row of a page changes, from this one, to one that only a checkpoint may name. So
   * do the later ones until then.
   */
  void reshapes(int page, PageRow from) {
    changes(page, from);
    int place = place(page);
    if (!reshaped[place]) {
      reshaped[place] = true;
      reshapedCount++;
      keptOfReshaped.addAndGet(
          named(page).locations().filter(old -> !from.names(old)).mapToLong(Location::bytes).sum());
    }
  }

  /** Whether only a checkpoint may name the row of a page, which is not the named one. */
  boolean isReshaped(int page) {
    if (count == 0) {
      return false;
    }
    int place = place(page);
    return pages[place] != 0 && reshaped[place];
  }

  /** Says that an image of a page, of so many bytes, is kept for the last manifest alone. */
  void keeps(int page, long bytes) {
    keptBytes.addAndGet(bytes);
    if (isReshaped(page)) {
      keptOfReshaped.addAndGet(bytes);
    }
  }

  /** Bytes of the images that are kept for the last manifest alone. Any thread may ask. */
  long keptBytes() {
    return keptBytes.get();
  }

  /** Bytes of those images that a manifest of rows gives up. Any thread may ask. */
  long keptOfOthers() {
    return keptBytes.get() - keptOfReshaped.get();
  }

  /** The row of a page that the last manifest names; null if it is the one in the page table. */
  PageRow named(int page) {
    if (count == 0) {
      return null;
    }
    int place = place(page);
    return pages[place] == 0 ? null : new PageRow(bases[place], deltas[place]);
  }

  /** The pages whose row is not the named one, ascending. */
  int[] pages() {
    int[] all = Arrays.stream(pages).filter(page -> page != 0).toArray();
    Arrays.sort(all);
    return all;
  }

  /** Says that a manifest names what the page table holds, but for the rows that are reshaped. */
  void retainReshaped() {
    int[] left = Arrays.stream(pages()).filter(this::isReshaped).toArray();
    PageRow[] rows = Arrays.stream(left).mapToObj(this::named).toArray(PageRow[]::new);
    long kept = keptOfReshaped.get();
    clear();
    for (int i = 0; i < left.length; i++) {
      reshapes(left[i], rows[i]); // both rows the same: adds nothing to what is kept
    }
    keptBytes.set(kept);
    keptOfReshaped.set(kept);
  }

  /** Says that a manifest names what the page table holds. */
  void clear() {
    count = 0;
    reshapedCount = 0;
    keptBytes.set(0);
    keptOfReshaped.set(0);
    budget.releaseOnHeap(bytes);
    bytes = 0;
    pages = new int[0];
    bases = new long[0];
    deltas = new long[0];
    reshaped = new boolean[0];
  }

  private void grow(int places) {
    int[] oldPages = pages;
    long[] oldBases = bases;
    long[] oldDeltas = deltas;
    int[] newPages = new int[places];
    long[] newBases = new long[places];
    long[] newDeltas = new long[places];
    boolean[] oldReshaped = reshaped;
    boolean[] newReshaped = new boolean[places];
    budget.reserveOnHeap((long) (places - oldPages.length) * ENTRY_BYTES);
    pages = newPages;
    bases = newBases;
    deltas = newDeltas;
    reshaped = newReshaped;
    bytes = (long) places * ENTRY_BYTES;
    for (int i = 0; i < oldPages.length; i++) {
      if (oldPages[i] != 0) {
        put(place(oldPages[i]), oldPages[i], oldBases[i], oldDeltas[i], oldReshaped[i]);
      }
    }
  }

  private void put(int place, int page, long base, long delta, boolean isReshaped) {
    pages[place] = page;
    bases[place] = base;
    deltas[place] = delta;
    reshaped[place] = isReshaped;
  }

  /** Where a page stands, or would. */
  private int place(int page) {
    int mask = pages.length - 1;
    int place = ((page * 0x9E3779B9) >>> 7) & mask;
    while (pages[place] != 0 && pages[place] != page) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
