package io.bg3.core.tree;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafPieces;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Copies of the leaves of an owner, one for each, made while its commits go on (R62). A leaf that
 * has changed is copied again. So behind the last commit few are left to be copied, and a tree is
 * made of the copies in a moment, however many they are.
 *
 * <pre>
 *   commits of the owner go on               the owner's stripe is held
 *   copies all leaves                        copies those that have changed since
 *   copies those that have changed since     numbers the copies, builds the inner pages
 * </pre>
 *
 * <p>A copy is a block that no other thread knows. It gets the number of its page, and that of its
 * right sibling, when the tree is made.
 *
 * <p>The memory budget counts the copies like other blocks. Each copy gives back as much of what
 * the caller has been granted for them.
 *
 * <p>Threads: belongs to one, which keeps the leaves pinned meanwhile.
 */
final class OwnerCopy implements LeafPieces, AutoCloseable {
  /** What {@link #refresh} says if a leaf is not in memory. */
  static final int MISSING = -1;

  /** Stands for the right sibling of a copy until the copy has a page. */
  private static final int SOME_PAGE = 1;

  private final Tree from;
  private final TreeSpace space;
  private final PageTable table;
  private final byte[] low;
  private final byte[] high;
  private List<Piece> pieces = new ArrayList<>();
  private long granted;
  private boolean losesDegrees;

  /**
   * The copy of a leaf.
   *
   * @param at the first key of the leaf that is the owner's
   * @param next where the owner's next leaf begins, null behind its last
   * @param page the leaf
   * @param publications of the leaf, before it was copied
   * @param block the copy, 0 when the tree has it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece(byte[] at, byte[] next, int page, long publications, long block) {}

  /**
   * No copies as yet.
   *
   * @param high null for all keys from {@code low} on
   * @param granted bytes of the budget for the copies
   */
  OwnerCopy(Tree from, byte[] low, byte[] high, long granted) {
    this.from = from;
    this.space = from.space;
    this.table = space.table;
    this.low = low;
    this.high = high;
    this.granted = granted;
  }

  /**
   * Copies the leaves that are not copied yet or have changed since. No I/O.
   *
   * @param most leaves that are copied; the call may end before it has looked at all others
   * @return how many it has copied; more than {@code most} if some are left, {@link #MISSING} if
   *     one is not in memory
   */
  int refresh(int most) {
    List<Piece> old = pieces;
    pieces = new ArrayList<>(old.size());
    int copied = 0;
    int i = 0;
    try {
      byte[] at = low;
      while (at != null) {
        while (i < old.size() && Arrays.compareUnsigned(old.get(i).at(), at) < 0) {
          space.free(old.get(i++).block());
        }
        if (i < old.size() && isCurrent(old.get(i), at)) {
          pieces.add(old.get(i++));
        } else if (++copied > most || !copyLeaf(at)) {
          return copied > most ? copied : MISSING;
        }
        at = pieces.get(pieces.size() - 1).next();
      }
      return copied;
    } finally {
      for (; i < old.size(); i++) {
        space.free(old.get(i).block());
      }
    }
  }

  /** Whether the copy of a leaf that begins at a key is what the leaf is now. */
  private boolean isCurrent(Piece piece, byte[] at) {
    return Arrays.equals(piece.at(), at)
        && table.publications(piece.page()) == piece.publications();
  }

  /** Copies the leaf of a key; false if it is not in memory. */
  private boolean copyLeaf(byte[] at) {
    while (true) {
      int page;
      long publications;
      byte[] next;
      long cut;
      EdgeEntries mine = new EdgeEntries();
      int ticket = space.epochs.enter();
      try {
        long found = from.descent.leaf(at);
        if (!Descent.isLeaf(found)) {
          return false;
        }
        page = space.header(found).pageId();
        publications = table.publications(page);
        long block = table.block(page);
        if (!from.writes.isLeafFor(block, at)) {
          continue; // it has been split since
        }
        PageHeader header = space.header(block);
        next = OwnerMove.next(header, high);
        cut = header.cut();
        Entries all = from.format.mergedForNow(block, Horizon.KEEP_ALL);
        mine.append(all, all.find(at), next == null && high != null ? all.find(high) : all.count());
      } finally {
        space.epochs.exit(ticket);
      }
      pieces.add(new Piece(at, next, page, publications, write(at, next, mine, cut)));
      return true;
    }
  }

  private long write(byte[] at, byte[] next, EdgeEntries mine, long cut) {
    Entries kept = OwnerMove.withoutLostDegrees(mine);
    losesDegrees |= kept != mine;
    kept.markAllUnstored();
    byte[] first = Arrays.equals(at, low) ? null : at;
    PageFrame frame =
        new PageFrame(SOME_PAGE, from.id(), first, next, next == null ? 0 : SOME_PAGE);
    long block = from.format.writeBase(frame, kept, 0, kept.count(), cut);
    giveBack(space.bytes(block));
    return block;
  }

  private void giveBack(long bytes) {
    long part = Math.min(bytes, granted);
    MemoryBudget budget = space.memory().budget();
    granted -= part;
    budget.release(part);
  }

  /** Whether the copies lack degrees that the log may hold. */
  boolean losesDegrees() {
    return losesDegrees;
  }

  /**
   * Makes a tree of the copies, which {@link #refresh} has just found to be what the leaves are. No
   * other thread knows the tree as yet. The lock of the shape is held.
   */
  void becomes(Tree tree) {
    tree.splits().replace(tree.root(), this, 0);
  }

  @Override
  public int count() {
    return pieces.size();
  }

  @Override
  public byte[] low(int piece) {
    return piece == 0 ? null : pieces.get(piece).at();
  }

  /** The copy has the cut of its leaf, which has the same keys. */
  @Override
  public long write(int piece, PageFrame frame, long cut) {
    Piece mine = pieces.get(piece);
    long block = mine.block();
    space.header(block).identify(frame);
    pieces.set(piece, new Piece(mine.at(), mine.next(), mine.page(), mine.publications(), 0));
    return block;
  }

  /** Frees the copies that no tree has, and gives back what they would have taken. */
  @Override
  public void close() {
    for (Piece piece : pieces) {
      if (piece.block() != 0) {
        space.free(piece.block());
      }
    }
    pieces = List.of();
    giveBack(granted);
  }
}
