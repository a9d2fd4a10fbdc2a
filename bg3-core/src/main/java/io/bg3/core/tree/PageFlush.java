package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NewRecord;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes noted pages to the BASE and DELTA streams (R3), those of a family to extents of its own
 * (R46); the kind of a record is the page's, its key the page id.
 *
 * <p>An image is made of the noted block, whatever has happened to the page since. A cumulative
 * delta against the stored base is written, or a new base where that is better ({@link
 * #isLargeDelta(LeafFormat, long, long)}). Of a leaf whose values are not in memory (R31) it is
 * always a delta: its base is the stored one. Where a base would be better, the next commit to the
 * leaf loads the values. Afterwards, under the latch:
 *
 * <ul>
 *   <li>F1: the block is still the noted one and a base was written: the page gets a copy without
 *       marks, since what is stored now holds all of it, and is clean. Where there is no memory for
 *       the copy the marks stay, and the next flush writes a base.
 *   <li>F2: the block is still the noted one and a delta was written: the page is clean; the marks
 *       stay, because they tell what the stored base lacks. Where they are many, the page gets a
 *       copy without them, which is read faster, and its next flush writes a base.
 *   <li>F3: the block is another one and a base was written: the marks of the page belong to the
 *       old stored base, so its next flush writes a base.
 *   <li>F4: the block is another one and a delta was written: the page stays as it was.
 * </ul>
 *
 * <p>Where an older version refers to a large value, the page is pruned after F1 and F2, so that
 * the next checkpoint gives the value up if no snapshot reads it, and no owner is moving (R7).
 *
 * <p>Flushes are serial: the caller runs one at a time, in a checkpoint or between two.
 */
public class PageFlush {
  /** A delta has at most this part of the bytes of its base. */
  private static final int DELTA_SHARE = 2;

  /** A leaf has removals, or keeps its marks, with at most this part of the base in its delta. */
  private static final int SMALL_SHARE = 4;

  /** The images of a group of pages are written when they have so many bytes. */
  private static final int GROUP_BYTES = 64 << 10;

  private final TreeSpace space;
  private final ExtentStore extents;
  private final Horizon horizon;
  private final NotedPrefetch prefetch;
  private final EdgeEntries some = new EdgeEntries();
  private final PageRead read = new PageRead();

  /**
   * A flush to these extents.
   *
   * @param horizon what open snapshots may still read, for the copies without marks
   */
  public PageFlush(TreeSpace space, ExtentStore extents, Horizon horizon) {
    this.space = space;
    this.extents = extents;
    this.horizon = horizon;
    this.prefetch = new NotedPrefetch(space);
  }

  /** Is told where pages are stored now. */
  public interface Result {
    /**
     * {@link #stored} is about to tell of a page whose new images only a checkpoint may name,
     * together with those of other pages (R52).
     *
     * @param old where the page was stored before
     */
    default void reshaped(int page, PageRow old) {}

    /**
     * A page has new images. Called before others can see it, so that what is said of the page when
     * it is evicted and loaded comes later.
     *
     * @param old where it was stored before
     * @param now where it is stored from now on
     * @param references the values that the stored block refers to
     */
    void stored(int page, PageRow old, PageRow now, LargeValueLocations references);

    /**
     * A page whose new images {@link #stored} has told of may be rid of versions that no snapshot
     * reads. A thread that loads the images leaves them out too. It must not be done while the
     * entries of the page are copied to another one: the copy would keep the versions, and refer to
     * values that this page has let go of. The latch of the page is held.
     *
     * @param pruning prunes the page, and says to which values it refers then
     */
    default void prunes(int page, Supplier<LargeValueLocations> pruning) {}

    /**
     * Some more pages have been written, and nothing is held that another thread could want: no
     * latch, epoch or pin (R47).
     *
     * @param pages how many have been written so far
     * @param all how many will be in all
     * @throws IOException if the disk fails
     */
    default void written(int pages, int all) throws IOException {}
  }

  /**
   * Writes all noted pages. Leaves that turn out empty are removed afterwards; where memory runs
   * out, or a page that this takes is not there, the next checkpoint tries again.
   *
   * @throws IOException if the disk fails or is full; the pages that have not been written are
   *     dirty as before, and the next flush notes them
   */
  public void write(NotedPages noted, Result result) throws IOException {
    int written = 0;
    try {
      while (written < noted.count()) {
        written += writeSome(noted.pages(), written, result);
        result.written(written, noted.count());
      }
    } catch (IOException e) { // before anything was said of the page
      noted.pages().subList(written, noted.count()).forEach(this::putBack);
      throw e;
    }
    for (NotedPages.Noted page : noted.pages()) {
      if (page.page() != page.tree().root()) { // a root stays, and is not looked at
        removeIfEmpty(page.tree(), page.page());
      }
    }
    for (TreePage page : noted.emptied()) {
      boolean stored = StoredState.isStored(space.table.block(page.page())); // evicted
      if (!stored || space.loader().tryLoad(page.page())) {
        removeIfEmpty(page.tree(), page.page());
      } else {
        page.tree().addEmptied(page.page());
      }
    }
  }

  /** Ends the note of a page that was not written. */
  private void putBack(NotedPages.Noted noted) {
    int page = noted.page();
    space.table.latch(page);
    try {
      space.unnote(page);
      if (noted.reshaped()) {
        space.table.markReshaped(page);
      }
      if (space.table.isDirty(page)) {
        noted.tree().addDirty(page);
      }
    } finally {
      space.table.unlatch(page);
    }
  }

  /** Removes a leaf without entries. */
  private void removeIfEmpty(Tree tree, int page) {
    try {
      tree.removeIfEmpty(page, horizon);
    } catch (MemoryExceededException e) {
      space.putOff.add(tree.id(), page, e);
      tree.addEmptied(page);
    }
  }

  /**
   * Says that the tree of one owner may be empty, if the noted block of a leaf of it has no entries
   * (R57). The leaf may leave memory as soon as it is stored.
   */
  private void noteIfEmptied(NotedPages.Noted noted) {
    TreeShape shape = noted.tree().shape;
    if (shape.isDedicated()
        && !EntrySearch.isAny(noted.tree(), noted.block(), horizon.expiry(), some, read)) {
      shape.noteEmptied();
    }
  }

  /**
   * Notices the owners that have many entries in the noted block of a shared leaf (R56): those of
   * its delta count, which nobody has looked at if no commit has consolidated the leaf.
   */
  private void noticeOwners(NotedPages.Noted noted) {
    if (!space.heavy.isOff(noted.tree().shape)) {
      space.heavy.lookAtStored(noted.tree(), noted.block());
    }
  }

  /** The noted page with the block that it has by now, and keeps while it is written (R32). */
  private NotedPages.Noted taken(NotedPages.Noted noted) {
    space.table.latch(noted.page());
    try {
      return noted.at(space.takeNoted(noted.page()));
    } finally {
      space.table.unlatch(noted.page());
    }
  }

  /**
   * Writes some pages together: small images share a write to the disk, and the memory of the next
   * page is waited for together with that of others.
   *
   * @param from the first of the pages
   * @return how many
   * @throws IOException if the disk fails or is full: before anything was said of any of them
   */
  private int writeSome(List<NotedPages.Noted> pages, int from, Result result) throws IOException {
    List<NotedPages.Noted> taken = take(pages, from);
    List<PageToStore> images = new ArrayList<>(taken.size());
    List<NewRecord> records = new ArrayList<>(taken.size());
    long bytes = 0;
    for (int i = 0; i < taken.size() && bytes < GROUP_BYTES; i++) {
      PageToStore image = image(taken.get(i));
      images.add(image);
      if (image.record() != null) {
        records.add(image.record());
        bytes += image.record().bytes();
      }
    }
    long[] locations = extents.append(records);
    int next = 0;
    for (PageToStore image : images) {
      store(image, image.record() == null ? Location.NONE : locations[next++], result);
    }
    return images.size();
  }

  /** Takes the next pages, as many as are written together at most, and asks for their memory. */
  private List<NotedPages.Noted> take(List<NotedPages.Noted> pages, int from) {
    int to = Math.min(from + FlushedPages.MOST, pages.size());
    List<NotedPages.Noted> some = new ArrayList<>(pages.subList(from, to));
    prefetch.notes(some);
    some.replaceAll(this::taken);
    prefetch.taken(some);
    return some;
  }

  /** Makes the image of a page. */
  private PageToStore image(NotedPages.Noted noted) {
    int page = noted.page();
    PageRow old = space.table.row(page);
    space.dirtyPages.seen(space.bytes(noted.block()));
    byte kind = (byte) space.header(noted.block()).kind();
    boolean leaf = kind != PageHeader.INNER;
    boolean lacksValues = leaf && space.lacksValues(noted.block());
    assert !(lacksValues && noted.needsBase()) : "R31: its delta is all that has changed: " + page;
    boolean writesBase = !leaf || (!lacksValues && (needsBase(noted) || isLargeDelta(noted)));
    int family = leaf ? family(noted) : 0;
    if (leaf) {
      noteIfEmptied(noted);
      noticeOwners(noted);
    }
    long newest =
        noted.tree().shape.isLasting()
            ? System.currentTimeMillis() // its age, since it does not expire
            : space.header(noted.block()).newestStamp() >>> Expiry.STAMP_SHIFT;
    NewRecord record = null;
    long deltaBytes = 0;
    if (writesBase) {
      ByteBuffer[] image = baseImage(noted, leaf);
      record = new NewRecord(Stream.BASE, family, newest, kind, page, image);
    } else if (format(noted).markedCount(noted.block()) > 0) {
      ByteBuffer[] image = format(noted).deltaImage(noted.block(), noted.tree().deltaImages());
      record = new NewRecord(Stream.DELTA, family, newest, kind, page, image);
      deltaBytes = PageImage.plainBytes(image[0]);
    }
    LargeValueLocations references =
        leaf ? format(noted).references(noted.block()) : LargeValueLocations.NONE;
    return new PageToStore(noted, old, leaf, writesBase, record, deltaBytes, references);
  }

  /** Says where a page is stored from now on. */
  private void store(PageToStore page, long location, Result result) {
    NotedPages.Noted noted = page.noted();
    PageRow now = page.row(location);
    if (noted.reshaped()) {
      result.reshaped(noted.page(), page.old());
    }
    result.stored(noted.page(), page.old(), now, page.references());
    settle(page, now, result); // from here on the page may be evicted and loaded
  }

  /** Whether marks cannot say what the stored base lacks. */
  boolean needsBase(NotedPages.Noted noted) {
    return noted.needsBase();
  }

  /** Whether nobody has written to the page since it was noted. */
  boolean isStillNoted(long block, NotedPages.Noted noted) {
    return block == noted.block();
  }

  /** Whether a base is better than a delta. */
  boolean isLargeDelta(NotedPages.Noted noted) {
    return isLargeDelta(format(noted), noted.block(), space.table.deltaBytes(noted.page()));
  }

  /**
   * Whether a base is better than a delta for a leaf: where the delta would be larger than half of
   * the base, because readers load both and both take space, or where the deltas since the last
   * base would weigh more than a base. The second bound makes a leaf that is flushed after every
   * few entries cheapest: it writes as many bytes in deltas as in bases. A delta with removals has
   * a quarter: each takes few bytes, and keeps many of the base. All bytes are those before
   * compression.
   *
   * @param deltas bytes of the deltas that were stored since the last base
   */
  public static boolean isLargeDelta(LeafFormat format, long block, long deltas) {
    int share = format.hasRemovals(block) ? SMALL_SHARE : DELTA_SHARE;
    return isLargeDelta(format.imageBytes(block), format.markedBytes(block), share, deltas);
  }

  /**
   * Whether a base is better than the next delta of a leaf whose values are not in memory: such a
   * leaf keeps its marks.
   *
   * @param base bytes of an image of all that the leaf has
   * @param delta of the delta that would be stored
   */
  static boolean isLargeDelta(long base, long delta, long deltas) {
    return isLargeDelta(base, delta, SMALL_SHARE, deltas);
  }

  private static boolean isLargeDelta(long base, long delta, int share, long deltas) {
    return delta * share > base || deltas + delta > base;
  }

  /** Whether a leaf whose delta is stored is better off without marks, and with a base next. */
  boolean losesMarks(NotedPages.Noted noted) {
    if (space.lacksValues(noted.block())) { // and no base can be made of it
      return false;
    }
    LeafFormat format = format(noted);
    long marked = format.markedBytes(noted.block());
    return marked * SMALL_SHARE > format.imageBytes(noted.block());
  }

  /**
   * The family whose extents take the images of a leaf. A leaf without stamps has nothing that
   * could expire, so it outlives every extent of a family with a time to live. The extents of a
   * family whose edges stay have its leaves alone.
   */
  int family(NotedPages.Noted noted) {
    TreeShape shape = noted.tree().shape;
    return shape.isLasting() || space.header(noted.block()).newestStamp() != 0 ? shape.family : 0;
  }

  private static LeafFormat format(NotedPages.Noted noted) {
    return noted.tree().format;
  }

  private ByteBuffer[] baseImage(NotedPages.Noted noted, boolean leaf) {
    return leaf
        ? format(noted).baseImage(noted.block(), noted.tree().baseImages())
        : space.inner.image(noted.block(), space.baseImages());
  }

  /**
   * The steps F1 to F4, and the end of the note.
   *
   * @param result decides whether the page is rid of the versions that nobody reads
   */
  private void settle(PageToStore stored, PageRow now, Result result) {
    PageTable table = space.table;
    NotedPages.Noted noted = stored.noted();
    boolean wroteBase = stored.writesBase();
    int page = noted.page();
    table.latch(page);
    try {
      long block = StoredState.topology(table.block(page));
      boolean same = isStillNoted(block, noted);
      boolean unmarks = same && (wroteBase || (now.delta() != Location.NONE && losesMarks(noted)));
      long unmarked = unmarks && stored.leaf() ? withoutMarks(noted.tree(), page, block) : block;
      table.store(page, now.base(), now.delta());
      long before = wroteBase ? 0 : table.deltaBytes(page);
      table.setDeltaBytes(page, before + stored.deltaBytes());
      if (same) {
        table.markClean(page);
      }
      if (unmarks && unmarked != 0) {
        if (wroteBase) { // F1
          table.clearRebase(page);
        } else { // F2: without marks, no delta can be stored
          table.markRebase(page);
        }
        publishWithoutMarks(page, block, unmarked);
      } else if (wroteBase && block != PageTable.DEAD) { // F3, and F1 without memory
        table.markRebase(page);
      }
      space.unnote(page);
      if (!same && table.isDirty(page)) {
        noted.tree().addDirty(page);
      }
      if (same && stored.references().hasOlder()) {
        result.prunes(page, () -> prunedReferences(noted.tree(), page));
      }
    } finally {
      table.unlatch(page);
    }
  }

  /** The page's block or a copy of it, without marks; 0 if there is no memory for a copy. */
  private long withoutMarks(Tree tree, int page, long block) {
    if (tree.format.markedCount(block) == 0 && !space.header(block).isDelta()) {
      return block;
    }
    try {
      return tree.format.withoutMarks(block, horizon);
    } catch (MemoryExceededException e) {
      space.putOff.add(tree.id(), page, e);
      return 0;
    }
  }

  /**
   * Rids a page of the older versions that no snapshot reads, so that their values can be given up,
   * and says to which values it refers then: those of newest versions are the same, since the
   * images that were just written count them. The latch is held.
   */
  private LargeValueLocations prunedReferences(Tree tree, int page) {
    long block = space.table.block(page);
    LargeValueLocations references = tree.format.references(block);
    if (!references.hasOlder()) {
      return references;
    }
    try {
      Entries all = tree.mergedInMemory(page, block, horizon);
      PageHeader header = space.header(block);
      long cut = Math.max(header.cut(), horizon.cut());
      publishWithoutMarks(
          page, block, tree.format.writeBase(header.frame(), all, 0, all.count(), cut));
    } catch (MemoryExceededException e) {
      space.putOff.add(tree.id(), page, e);
    }
    return tree.format.references(space.table.block(page));
  }

  private void publishWithoutMarks(int page, long block, long unmarked) {
    if (unmarked == block) {
      return;
    }
    long base = space.header(block).base();
    space.table.publish(page, unmarked);
    space.retire(page, block);
    if (base != 0) {
      space.retire(page, base);
    }
  }
}
