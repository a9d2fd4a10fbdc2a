/**
 * One Bw-tree: find, write, scan, consolidate, split, remove.
 *
 * <p><b>Reading</b> takes no latch. Inside one epoch a reader goes from the root to a leaf by the
 * page table's state words and copies what it wants of that one leaf; on every page it looks at the
 * tree's number and at both fences:
 *
 * <ul>
 *   <li>T1: its key is below the page's low fence, the page is another tree's, or it is dead: start
 *       again at the root.
 *   <li>T2: its key is at or above the high fence: go to the right sibling.
 * </ul>
 *
 * <p>T1 and T2 hold wherever a reader comes from, so a reader of an owner's edges may begin at the
 * page where they were last ({@code LeafHints}) and look at the inner pages only if they are not
 * there any more.
 *
 * <p><b>A page that is not in memory</b> ends a descent (R12). Its reader leaves the epoch, has the
 * page loaded, once for all readers that need it, and starts again at the root: meanwhile the page
 * may have been split or removed, and its block replaced and its memory used for another. A leaf
 * that is loaded may be evicted again, also before the reader has found it; inner pages stay:
 *
 * <ul>
 *   <li>a commit pins the leaves of all its keys before it takes its stamp ({@link
 *       io.bg3.core.table.Pins}), so applying meets only pages in memory (R5);
 *   <li>a thread that is about to read many leaves has those that are in storage loaded together;
 *       that is an attempt, and nothing depends on it (R30);
 *   <li>a leaf of edges may be in memory without its values, for threads that want none (R31);
 *   <li>a thread that has waited for a latch looks again whether the page is in memory (R25);
 *   <li>an inner page above a page in memory is in memory too, unless the way there was found
 *       through a sibling: splits and removals look, and load what is missing before they begin.
 * </ul>
 *
 * <p><b>Writing</b> takes the latch of one leaf: look at the leaf again, build the next delta,
 * publish it, give the old one back. Consolidating and splitting come after the commit's stripes
 * are released and may be put off; but a leaf that gets more than a delta may hold is written anew
 * at once where the structure lock is free.
 *
 * <p><b>A split</b> (B-link) of page P with the fences [a, c) at key b, other pages holding still
 * because the tree's structure lock is held:
 *
 * <pre>
 *   0  P[a,c)→S            parent: …P…S      one page
 *   1  P[a,c)→S  R[b,c)→S  parent: …P…S      R is complete and latched, no page leads to it
 *   2  P[a,b)→R→S          parent: …P…S      a reader for k ≥ b meets P, goes right (T2)
 *   3  P[a,b)→R→S          parent: …P…R…S    the separator is there
 * </pre>
 *
 * The publication point is 2: P's state word, stored with release, makes R reachable. Before 1 all
 * is built that the split will publish, and R's number has no page: it may be one that was used
 * before, and hints may still lead to it. A thread that follows one between 1 and 2 may read R,
 * which says what P says; it cannot write to it, since the latches of P and R are held from 1 to 2.
 * The root keeps its number: its content goes to new pages first, then its state word changes from
 * the old content to an inner page over them.
 *
 * <p><b>An empty page</b> E goes to its left neighbour L (R21): both are latched, left first; the
 * wider L is built, and the parent without the separator; E is marked dead; L is published; the
 * parent is published. All that can fail comes before E is marked dead. Between the last three
 * steps a reader for E's range starts again at the root until it finds L.
 *
 * <p><b>A leaf is moved</b> to other blocks when the spans that it lies in are wanted for blocks of
 * another size (R32): a replacement under its latch, of blocks by their copies. So nobody keeps the
 * address of a leaf's block outside of an epoch, of the latch, or of a note.
 *
 * <p><b>Closing</b>: a thread that reads pages is inside an epoch, a thread that loads or settles
 * some has entered {@code TreeSpace.busy}; closing the space waits for both, and refuses those that
 * come later.
 *
 * <p><b>Order of waiting</b>: memory for a page, claim of the page; structure lock, latch of a
 * page, latch of a page further right or of a new one. Nobody waits for memory or a claim with a
 * structure lock or a latch in hand, nor for a structure lock with a latch, and nobody waits for
 * any of them inside an epoch.
 *
 * <p>Inner pages change under the structure lock only, so the thread that holds it may read them
 * without an epoch.
 */
package io.bg3.core.tree;
