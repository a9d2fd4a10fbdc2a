package io.bg3.core.tree;

import io.bg3.core.entry.EdgeKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many edges an owner has by a tag and label, as a thread has counted them that has read their
 * leaf: a table that spares a hop that only counts its neighbours most leaves, of each of which it
 * would read three cache lines or more.
 *
 * <pre>
 *  word  field         of a slot, which is one cache line
 *     0  lock          odd while a thread writes the slot; grows by 2 with each note
 *     1  owner
 *     2  tag label     in the upper half; count in the lower
 *     3  tree          in the upper half; page in the lower; 0 for nothing
 *     4  publications  of the page, before its block was read
 *     5  newest        no entry of the pages had a newer stamp
 *     6  next page     where the edges go on; 0 if nowhere
 *     7  publications  of that page, likewise
 * </pre>
 *
 * <p>A count is used (rule R60) if and only if
 *
 * <ul>
 *   <li>N1: all words are of one note: the lock was even and has not changed.
 *   <li>N2: the route names the noted tree, in the reader's epoch.
 *   <li>N3: nothing has been published for either page since.
 *   <li>N4: the snapshot is not older than the newest stamp.
 * </ul>
 *
 * <p>A count is noted only of a leaf that has all keys with the owner, tag and label, or of two
 * that have, at a snapshot that N4 lets in, and not of labels whose edges expire.
 *
 * <p><b>Why that is enough.</b> Between the two looks at the page's publications its block may have
 * been replaced by a thread that has set the state and not yet counted that. The thread holds the
 * latch of the page, and of each page to which it has moved entries. So no commit has written to
 * these pages behind it, and no commit is visible that has: what a snapshot sees that is not older
 * than the noted stamp stands in the block that was counted.
 *
 * <p>Threads: any. A thread that finds a slot locked neither reads nor writes it.
 */
final class NotedCounts {
  /** In place of a count. */
  static final int NOT_KNOWN = -1;

  private static final int WORDS = 8;
  private static final int OWNER = 1;
  private static final int COUNT = 2;
  private static final int PLACE = 3;
  private static final int PUBLICATIONS = 4;
  private static final int NEWEST = 5;
  private static final int NEXT_PAGE = 6;
  private static final int NEXT_PUBLICATIONS = 7;
  private static final int FEWEST = 1 << 5;
  private static final int MOST = 1 << 20;

  /**
   * Words before the first slot: with an array's header a cache line, so that no slot is in two.
   */
  private static final int FIRST = 6;

  private static final long MIXER = 0x9E3779B97F4A7C15L;
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final TreeSpace space;
  private final int slots;
  private final int slotsShift;
  private long[] words; // none behind the end

  /** An empty table, charged to the budget; of 64 MiB at most, see {@link OwnerSlots}. */
  NotedCounts(TreeSpace space) {
    this.space = space;
    slots = OwnerSlots.reserve(space.memory.budget(), WORDS, FEWEST, MOST);
    slotsShift = Integer.numberOfTrailingZeros(slots);
    words = new long[FIRST + slots * WORDS];
  }

  /**
   * Gives the table back to the heap, though the closed store may be referred to for long. No
   * thread counts any more.
   */
  void end() {
    words = OwnerSlots.NONE;
  }

  /**
   * Finds the counts of some owners, at most a few times ten: they are found in one epoch.
   *
   * @param asked owners from index {@code from} on
   * @param some how many
   * @param into filled from index 0 on; {@link #NOT_KNOWN} where no note may be used
   * @return something, for the caller to keep, so that no compiler leaves out the loads that have
   *     the cache lines of all slots under way at once
   */
  long find(
      TreeRoute route, long[] asked, int from, int some, int tagLabel, long snapshot, int[] into) {
    long seen = 0;
    for (int i = 0; i < some; i++) {
      into[i] = slot(asked[from + i], tagLabel);
    }
    int ticket = space.epochs.enter(); // the table is there until it is left
    try {
      for (int i = 0; i < some; i++) {
        seen += words[into[i] + OWNER];
      }
      for (int i = 0; i < some; i++) {
        long owner = asked[from + i];
        into[i] = count(into[i], route.tree(owner), owner, tagLabel, snapshot);
      }
    } finally {
      space.epochs.exit(ticket);
    }
    return seen;
  }

  /** The noted count of an owner, if there is one that may be used. */
  private int count(int slot, Tree tree, long owner, int tagLabel, long snapshot) {
    long lock = (long) WORD.getAcquire(words, slot);
    long count = word(slot + COUNT);
    if ((lock & 1) != 0
        || word(slot + OWNER) != owner
        || (int) (count >>> Integer.SIZE) != tagLabel) {
      return NOT_KNOWN;
    }
    long place = place(slot);
    int page = (int) place;
    long publications = word(slot + PUBLICATIONS);
    long newest = word(slot + NEWEST);
    int next = (int) word(slot + NEXT_PAGE);
    long nextPublications = word(slot + NEXT_PUBLICATIONS);
    if (page == 0
        || !isOneNote(slot, lock)
        || !isOf(tree, place)
        || !isPublished(page, publications)
        || (next != 0 && !isPublished(next, nextPublications))
        || !isSeen(newest, snapshot)) {
      return NOT_KNOWN;
    }
    space.table.touch(page);
    if (next != 0) {
      space.table.touch(next);
    }
    return (int) count;
  }

  private long place(int slot) {
    return word(slot + PLACE);
  }

  private long word(int index) {
    return (long) WORD.getOpaque(words, index);
  }

  /** N1. */
  private boolean isOneNote(int slot, long lock) {
    VarHandle.loadLoadFence();
    return word(slot) == lock;
  }

  /** N2. */
  private static boolean isOf(Tree tree, long place) {
    return (int) (place >>> Integer.SIZE) == tree.id();
  }

  /** N3. */
  private boolean isPublished(int page, long publications) {
    return space.table.publications(page) == publications;
  }

  /** N4. */
  private static boolean isSeen(long newest, long snapshot) {
    return newest <= snapshot;
  }

  /**
   * Notes a count, if it may be used again and no other thread writes there just now.
   *
   * @param tree of the pages
   * @param snapshot at which was counted
   */
  void note(long owner, int tagLabel, int count, int tree, long snapshot, CountedPages pages) {
    int slot = slot(owner, tagLabel);
    long lock = word(slot);
    if (!pages.areAll()
        || !isSeen(pages.newest(), snapshot)
        || mayExpire(tagLabel)
        || (lock & 1) != 0
        || !WORD.compareAndSet(words, slot, lock, lock + 1)) {
      return;
    }
    VarHandle
        .storeStoreFence(); // N1: the odd lock before the words, also where a CAS does not say so
    WORD.setOpaque(words, slot + OWNER, owner);
    WORD.setOpaque(words, slot + COUNT, pair(tagLabel, count));
    WORD.setOpaque(words, slot + PLACE, pair(tree, pages.page(0)));
    WORD.setOpaque(words, slot + PUBLICATIONS, pages.publications(0));
    WORD.setOpaque(words, slot + NEWEST, pages.newest());
    WORD.setOpaque(words, slot + NEXT_PAGE, (long) pages.page(1));
    WORD.setOpaque(words, slot + NEXT_PUBLICATIONS, pages.publications(1));
    WORD.setRelease(words, slot, lock + 2);
  }

  private static boolean mayExpire(int tagLabel) {
    return EdgeKey.hasTtl(tagLabel);
  }

  private static long pair(int upper, int lower) {
    return ((long) upper << Integer.SIZE) | (lower & 0xFFFF_FFFFL);
  }

  /**
   * Neighbouring owners have neighbouring slots, as far as the table goes; behind its end, and for
   * each tag and label, it begins again at another place. Nothing worse comes of owners that share
   * a slot than that their leaves are read.
   */
  private int slot(long owner, int tagLabel) {
    long mixed = ((owner >> slotsShift) ^ ((long) tagLabel << Integer.SIZE)) * MIXER;
    mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MIXER;
    int begin = (int) (mixed >>> (Long.SIZE - slotsShift));
    return FIRST + (((int) owner + begin) & (slots - 1)) * WORDS;
  }
}
