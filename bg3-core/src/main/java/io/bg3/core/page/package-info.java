/**
 * The bytes of a page: edge leaves as small compressed-sparse-row graphs, byte-key leaves, inner
 * pages, the one delta a leaf may have, and the images of all of them in storage.
 *
 * <p>Nothing here is ever changed once it is published, and nothing here knows where a page stands:
 * a thread that reads has the address from the page table and is inside an epoch, a thread that
 * writes holds the page's latch and publishes what it is given. {@link io.bg3.core.page.LeafFormat}
 * and {@link io.bg3.core.page.InnerFormat} are the ways in.
 *
 * <p><b>Which version is seen.</b> The versions of a key are read newest first, the delta's before
 * the base's; a snapshot sees the first whose stamp is not above it. A settled version has the
 * stamp 0 and ends the search, so in a delta it hides the base's versions, and a version of stamp t
 * hides them for snapshots from t on only:
 *
 * <pre>
 *   delta   k: put@90                       snapshot 95 sees put@90
 *   base    k: put@40, tombstone@20, put    snapshot 50 sees put@40, 30 sees nothing, 10 sees put
 * </pre>
 *
 * <p><b>What the stored base lacks (R3).</b> An entry that a commit brings is marked {@code
 * UNSTORED}, and the mark stays through every consolidation in memory until a base that holds the
 * entry is stored. So the image of a delta, which is the marked entries and nothing else, always
 * fits the base that is stored, whatever was built in memory since. A tombstone that all snapshots
 * see is dropped by consolidation only without a mark; with one it may be all that keeps the stored
 * base's version of the key from coming back:
 *
 * <pre>
 *   stored base    memory                        stored delta     loaded again
 *   k: put         k: tombstone, marked          k: tombstone     k absent
 *   k: put         (dropped: the broken twin)    nothing          k is back
 * </pre>
 *
 * A page that has no stored base (new, split, or with other fences) marks all it holds and needs no
 * settled tombstones; a page whose whole content has just been stored as a base marks nothing and
 * needs none either.
 *
 * <p><b>What pruning keeps (R9).</b> A {@link io.bg3.core.entry.Horizon} is taken by raising the
 * cut before the slots of open snapshots are read; here it only says which versions stay: the
 * newest at or below each snapshot and the cut, and all above the cut. Of those, one at or below
 * the floor loses its stamp. It is then the oldest of its key, since every snapshot that is or will
 * be open sees it or something newer.
 *
 * <p><b>Replay (R2)</b> brings entries again. They are told by key and stamp: what is not newer
 * than the newest version of its key is skipped, and a settled version counts as older than
 * anything. A key may so step back for as long as replay has not reached the entry that its settled
 * version came from; nothing is read before that.
 *
 * <p><b>One pointer (R18).</b> The address of the base in a delta's header is written before the
 * delta is published and never changed.
 */
package io.bg3.core.page;
