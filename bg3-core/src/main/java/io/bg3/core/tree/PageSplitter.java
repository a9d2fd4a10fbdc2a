package io.bg3.core.tree;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.InnerFormat;
import io.bg3.core.page.LeafPieces;
import io.bg3.core.table.PageTable;
import io.bg3.storage.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Splits of leaves and of the inner pages above them, by the steps that the package's description
 * draws.
 *
 * <p>All blocks of a split, those of the inner pages above included, are built before the first of
 * them is {@linkplain UnpublishedPages published}: memory can run out at each, and nobody copes
 * with a page that its parent does not know.
 */
final class PageSplitter {
  /**
   * Of an inner page's bytes, for one separator besides its own: its offsets and the child's id.
   */
  private static final int SEPARATOR_OVERHEAD = 16;

  /** Separators that an inner page keeps together, however long they are. */
  private static final int FEWEST_SEPARATORS = 2;

  /** Entries of a commit that are added to a leaf while the committer holds its stripes. */
  private static final int MOST_ADDED = 4_096;

  private final Tree tree;
  private final TreeSpace space;
  private final PageTable table;
  private final InnerFormat inner;

  /** Of the split under way; guarded by the tree's structure lock. */
  private final UnpublishedPages unpublished;

  /**
   * A key between the leaves of the split under way if the tree had few leaves before ({@link
   * TreeSize}), else null; guarded by the same lock.
   */
  private byte[] separatorOfFew;

  /** The leaves that the pieces of the split under way go to; guarded by the same lock. */
  private final List<Integer> leaves = new ArrayList<>();

  PageSplitter(Tree tree) {
    this.tree = tree;
    this.space = tree.space;
    this.table = space.table;
    this.inner = space.inner;
    this.unpublished = new UnpublishedPages(tree);
  }

  /** Separators that were made between a page and the new pages to its right, for the parent. */
  private record Grown(List<byte[]> separators, List<Integer> pages) {}

  /**
   * Splits a leaf if it is too large, into as many pages as it takes. Put off if the inner pages
   * above it are not in memory and cannot be loaded now.
   *
   * @return the leaves that it is now; empty if it was not too large, or has not been split
   */
  List<Integer> split(int page, Horizon horizon) {
    List<Integer> done = List.of();
    int missing;
    do {
      if (!tree.shape.lock.lockIfAllowed()) {
        return done; // the next writer finds it due again
      }
      try {
        missing = missingAbove(page);
        if (missing == 0 && splitInStructure(page, horizon)) {
          done = List.copyOf(leaves);
        }
      } finally {
        unpublished.giveBack();
        tree.shape.lock.unlock();
      }
    } while (missing != 0 && !Waiting.isForbidden() && space.loader().tryLoad(missing));
    return done;
  }

  /**
   * Writes a leaf anew with those entries of a batch that belong to it, if they are more than a
   * delta may hold, and splits it if it is then too large. Others wait meanwhile for the leaf and
   * for what the committer holds, so very many become a delta. The structure lock is held.
   *
   * @param written told the leaves that were written, when readers find them
   * @return where the rest of the batch begins; {@code from} if it is not their leaf, or that
   *     cannot be done now
   */
  int add(
      int page, Entries batch, int from, int to, Supplier<Horizon> horizon, IntConsumer written) {
    leaves.clear();
    separatorOfFew = null;
    try {
      int end = from;
      table.latch(page);
      try {
        end = addLatched(page, batch, from, to, horizon);
      } finally {
        table.unlatch(page);
      }
      unpublished.publishAbove();
      leaves.forEach(written::accept);
      noticeLarge();
      return end;
    } finally {
      unpublished.giveBack();
    }
  }

  private int addLatched(int page, Entries batch, int from, int to, Supplier<Horizon> horizons) {
    long block = table.block(page);
    if (!tree.writes.isLeafFor(block, batch.key(from))) {
      return from;
    }
    PageHeader header = space.header(block);
    int end = LeafWrites.endOfPage(batch, from, to, header);
    int added = end - from;
    if (added <= tree.consolidateLimit()
        || added > MOST_ADDED
        || !tree.format.takes(block, batch, from, end)
        || missingAboveLeaf(block) != 0) {
      return from;
    }
    Horizon horizon = horizons.get();
    boolean unstored = table.needsBase(page);
    LeafPieces pieces =
        tree.format.with(block, batch, from, end, horizon, unstored, tree.capacity());
    if (pieces == null) {
      return from;
    }
    long cut = Math.max(header.cut(), horizon.cut());
    if (pieces.count() == 1) {
      tree.replace(page, block, pieces.write(0, header.frame(), cut));
      leaves.add(page);
    } else {
      replace(page, block, pieces, cut);
    }
    return end;
  }

  /** An inner page on the way to a leaf that is not in memory; 0 if none. */
  private int missingAbove(int page) {
    table.latch(page);
    try {
      long block = table.block(page);
      return tree.isLeaf(block) ? missingAboveLeaf(block) : 0;
    } finally {
      table.unlatch(page);
    }
  }

  private int missingAboveLeaf(long block) {
    byte[] low = space.header(block).low();
    byte[] key = low == null ? Descent.FIRST : low;
    return tree.missing(above -> inner.child(above, key));
  }

  private boolean splitInStructure(int page, Horizon horizon) {
    table.latch(page);
    try {
      long block = table.block(page);
      if (!tree.isLeaf(block)) {
        return false;
      }
      LeafPieces pieces =
          tree.format.pieces(block, horizon, table.needsBase(page), tree.capacity());
      if (pieces == null) {
        return false;
      }
      long cut = Math.max(space.header(block).cut(), horizon.cut());
      replace(page, block, pieces, cut);
    } finally {
      table.unlatch(page);
    }
    unpublished.publishAbove();
    noticeLarge();
    return true;
  }

  /** Has the degrees of the owner of a tree kept that has many leaves by this split (R36). */
  private void noticeLarge() {
    if (separatorOfFew != null && TreeSize.isSeenLarge(tree)) {
      space.heavy.noticeLarge(EdgeKey.owner(separatorOfFew));
    }
  }

  private boolean mayBecomeLarge() {
    return tree.shape.isDedicated() && !tree.shape.expires() && !TreeSize.isSeenLarge(tree);
  }

  /**
   * Puts pieces in the place of a leaf. The structure lock is held, and the inner pages above the
   * leaf are in memory.
   *
   * @param cut of the pruning that the pieces came from
   */
  void replace(int page, LeafPieces pieces, long cut) {
    try {
      table.latch(page);
      try {
        replace(page, table.block(page), pieces, cut);
      } finally {
        table.unlatch(page);
      }
      unpublished.publishAbove();
    } finally {
      unpublished.giveBack();
    }
  }

  /** Builds everything, and publishes the new pages and the leaf, whose latch is held. */
  private void replace(int page, long block, LeafPieces pieces, long cut) {
    leaves.clear();
    boolean isSplit = pieces.count() > 1;
    separatorOfFew = isSplit && mayBecomeLarge() ? pieces.low(1) : null;
    if (isSplit && page == tree.root()) {
      splitRoot(block, pieces, cut);
    } else {
      Grown grown = splitLeaf(block, pieces, cut);
      if (!grown.pages().isEmpty()) { // the marks can make room for everything in one piece
        insert(grown, 1);
      }
    }
    unpublished.publish();
  }

  /** The left piece stays in the page, the others become pages of their own to its right. */
  private Grown splitLeaf(long block, LeafPieces pieces, long cut) {
    PageFrame frame = space.header(block).frame();
    int[] pages = new int[pieces.count()];
    pages[0] = frame.pageId();
    for (int i = 1; i < pages.length; i++) {
      pages[i] = unpublished.newPage();
    }
    leaves.addAll(boxed(pages));
    byte[] high = frame.high();
    int right = frame.rightSibling();
    for (int i = pages.length - 1;
        i > 0;
        i--) { // the rightmost first, the page that leads to them last
      PageFrame piece = new PageFrame(pages[i], tree.id(), pieces.low(i), high, right);
      unpublished.addNew(pages[i], pieces.write(i, piece, cut));
      high = pieces.low(i);
      right = pages[i];
    }
    PageFrame first = new PageFrame(pages[0], tree.id(), frame.low(), high, right);
    unpublished.add(pages[0], block, pieces.write(0, first, cut));
    return new Grown(separators(pieces), boxed(pages).subList(1, pages.length));
  }

  private static List<byte[]> separators(LeafPieces pieces) {
    List<byte[]> separators = new ArrayList<>(pieces.count());
    for (int i = 1; i < pieces.count(); i++) {
      separators.add(pieces.low(i));
    }
    return separators;
  }

  /**
   * All pieces become new pages, and the root an inner page over them: its number never changes.
   */
  private void splitRoot(long block, LeafPieces pieces, long cut) {
    int[] pages = new int[pieces.count()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = unpublished.newPage();
    }
    leaves.addAll(boxed(pages));
    byte[] high = null;
    int right = 0;
    for (int i = pages.length - 1; i >= 0; i--) {
      PageFrame piece = new PageFrame(pages[i], tree.id(), pieces.low(i), high, right);
      unpublished.addNew(pages[i], pieces.write(i, piece, cut));
      high = pieces.low(i);
      right = pages[i];
    }
    growRoot(block, 1, separators(pieces), boxed(pages));
  }

  /**
   * Replaces the root's content by an inner page over pages that are there already, or over inner
   * pages made for them.
   */
  private void growRoot(long old, int level, List<byte[]> separators, List<Integer> children) {
    PageFrame frame = new PageFrame(tree.root(), tree.id(), null, null, 0);
    List<byte[]> above = separators;
    List<Integer> below = children;
    int height = level;
    while (!fits(above)) {
      Grown grown = pieces(frame, height, above, below, false, true);
      above = grown.separators();
      below = grown.pages();
      height++;
    }
    long top = inner.write(frame, height, above, unboxed(below));
    unpublished.add(tree.root(), old, top);
  }

  /**
   * Puts separators into the inner page at a level that holds their range, and splits it if it is
   * then too large.
   */
  private void insert(Grown grown, int level) {
    int page = innerPage(grown.separators().get(0), level);
    long block = table.block(page);
    if (grown.pages().size() == 1 && insertOne(page, block, grown)) {
      return;
    }
    List<byte[]> separators = inner.separators(block);
    List<Integer> children = new ArrayList<>(boxed(inner.children(block)));
    int at = position(separators, grown.separators().get(0));
    boolean atEnd = at == separators.size();
    separators.addAll(at, grown.separators());
    children.addAll(at + 1, grown.pages());

    PageFrame frame = space.header(block).frame();
    if (fits(separators)) {
      long wider = inner.write(frame, level, separators, unboxed(children));
      unpublished.add(page, block, wider);
    } else if (page == tree.root()) {
      growRoot(block, level, separators, children);
    } else {
      insert(splitInner(block, frame, level, separators, children, atEnd), level + 1);
    }
  }

  /**
   * Whether an inner page may hold these separators. Two fit whatever their length: cut between
   * them, the page would leave nothing on one side, and the tree would grow without end.
   */
  private boolean fits(List<byte[]> separators) {
    return separators.size() <= FEWEST_SEPARATORS || inner.bytes(separators) <= space.capacity;
  }

  /** Puts one separator in, if the page has room and it is quickly done. */
  private boolean insertOne(int page, long block, Grown grown) {
    long wider =
        inner.insert(block, grown.separators().get(0), grown.pages().get(0), space.capacity);
    if (wider != 0) {
      unpublished.add(page, block, wider);
    }
    return wider != 0;
  }

  private Grown splitInner(
      long block,
      PageFrame frame,
      int level,
      List<byte[]> separators,
      List<Integer> children,
      boolean atEnd) {
    Grown pieces = pieces(frame, level, separators, children, atEnd, false);
    int first = lastChildOfFirst(separators, pieces);
    PageFrame left =
        new PageFrame(
            frame.pageId(),
            frame.treeId(),
            frame.low(),
            pieces.separators().get(0),
            pieces.pages().get(0));
    long base =
        inner.write(
            left, level, separators.subList(0, first), unboxed(children.subList(0, first + 1)));
    unpublished.add(frame.pageId(), block, base);
    return pieces;
  }

  private static int lastChildOfFirst(List<byte[]> separators, Grown pieces) {
    return position(separators, pieces.separators().get(0));
  }

  /**
   * Writes new inner pages for children that do not fit into one.
   *
   * @param withFirst whether the first piece becomes a new page too; else it stays with the caller
   * @return the separators between the pieces and the pages written
   */
  private Grown pieces(
      PageFrame frame,
      int level,
      List<byte[]> separators,
      List<Integer> children,
      boolean atEnd,
      boolean withFirst) {
    List<Integer> cuts = cuts(separators, atEnd); // indexes of the separators that move up
    int pieces = cuts.size() + 1;
    Integer[] pages = new Integer[pieces];
    for (int i = withFirst ? 0 : 1; i < pieces; i++) {
      pages[i] = unpublished.newPage();
    }
    byte[] high = frame.high();
    int right = frame.rightSibling();
    for (int i = pieces - 1; i >= (withFirst ? 0 : 1); i--) {
      int from = i == 0 ? 0 : cuts.get(i - 1) + 1;
      int to = i == pieces - 1 ? separators.size() : cuts.get(i);
      byte[] low = i == 0 ? frame.low() : separators.get(cuts.get(i - 1));
      PageFrame piece = new PageFrame(pages[i], frame.treeId(), low, high, right);
      unpublished.addNew(
          pages[i],
          inner.write(
              piece, level, separators.subList(from, to), unboxed(children.subList(from, to + 1))));
      high = low;
      right = pages[i];
    }
    List<byte[]> up = new ArrayList<>();
    cuts.forEach(cut -> up.add(separators.get(cut)));
    return new Grown(up, Arrays.asList(pages).subList(withFirst ? 0 : 1, pieces));
  }

  /**
   * Which separators move up so that every piece between them fits; ascending keys leave full pages
   * behind.
   */
  private List<Integer> cuts(List<byte[]> separators, boolean atEnd) {
    int limit = atEnd ? space.capacity / 10 * 9 : space.capacity / 2;
    List<Integer> cuts = new ArrayList<>();
    int bytes = 0;
    for (int i = 0; i < separators.size() - 1; i++) {
      bytes += separators.get(i).length + SEPARATOR_OVERHEAD;
      if (bytes > limit && i > 0) {
        cuts.add(i);
        bytes = 0;
      }
    }
    if (cuts.isEmpty()) { // a few very long separators: every piece keeps one at least
      cuts.add(separators.size() / 2);
    }
    return cuts;
  }

  /**
   * The inner page at a level whose range holds a key. The structure lock is held, so every route
   * is true.
   */
  private int innerPage(byte[] key, int level) {
    int page = tree.root();
    while (true) {
      long block = table.block(page);
      PageHeader header = space.header(block);
      assert header.kind() == PageHeader.INNER && header.level() >= level
          : header.level() + " < " + level;
      if (header.level() == level) {
        return page;
      }
      page = inner.child(block, key);
    }
  }

  private static int position(List<byte[]> separators, byte[] key) {
    int at = 0;
    while (at < separators.size() && Arrays.compareUnsigned(separators.get(at), key) < 0) {
      at++;
    }
    return at;
  }

  private static List<Integer> boxed(int[] pages) {
    return Arrays.stream(pages).boxed().toList();
  }

  private static int[] unboxed(List<Integer> pages) {
    return pages.stream().mapToInt(Integer::intValue).toArray();
  }
}
