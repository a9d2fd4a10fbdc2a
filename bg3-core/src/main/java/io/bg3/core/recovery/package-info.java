/**
 * From a running store to the disk and back: checkpoints and opening.
 *
 * <p>A checkpoint chooses a log position L such that every commit before it is applied, notes which
 * blocks are the current state of the pages that changed, tree by tree with that tree's structure
 * held still (no I/O), appends images of them to BASE and DELTA, syncs, waits until the log is
 * durable up to the newest commit E that any image or total may hold (R1), appends the rows of the
 * page table to MAP, syncs, and replaces the manifest. Only then is the log before L let go, the
 * images that the old manifest named become garbage, and extents without live bytes are deleted.
 *
 * <pre>
 *   writers      ──put──put──split──put──────put──
 *   checkpoint   L  note │ append images │ sync │ log durable to E │ MAP │ sync │ manifest │ release
 *                        └ blocks noted here are not freed before they are appended
 * </pre>
 *
 * Cut anywhere before the manifest is replaced, the old manifest names the old images, none of
 * which was touched, and the log from the old L is still there. Cut after it, the new manifest
 * names the new images and the log from the new L.
 *
 * <p>Between two checkpoints a flush may append images of some pages and put them into the rows of
 * the page table, which name the newest images then; no manifest does, so a crash finds what the
 * last one wrote. The next checkpoint names these rows with those of the pages that it flushes
 * itself (R24). The rows that the last manifest names are kept meanwhile, with their images:
 *
 * <pre>
 *   page P            dirty     flushed    changed     flushed     checkpoint
 *   row of P          I1        I2         I2          I3          I3
 *   named row         I1        I1         I1          I1          I3
 *   garbage                                            I2          I2, I1
 * </pre>
 *
 * <p>When garbage takes too much space, images are copied out of extents that are live in part,
 * between two checkpoints as well ({@link io.bg3.core.recovery.Reclaimer}). The rows name the
 * copies, the next manifest does, and the extents go with it. It may be a manifest that names the
 * copies and is else the last one (R48):
 *
 * <pre>
 *   page P            in extent 7     copied          checkpoint
 *   row of P          7:I1            12:I1           12:I1
 *   named row         7:I1            7:I1            12:I1
 *   extent 7          live in part    the same        dead, deleted
 * </pre>
 *
 * <p>Large values are copied out of extents likewise ({@link io.bg3.core.recovery.ValueMover}).
 * Their leaves become dirty, so that the next manifest names images with the new locations (R26).
 *
 * <p>Opening plans first and writes afterwards. It reads the manifest and the rows, and replays the
 * log from L; a page is loaded when a thread needs it ({@link io.bg3.core.tree.PageLoader}). Images
 * may hold commits after L; replaying a commit whose entry is there already changes nothing, and an
 * entry that a later commit superseded is put right when that commit is replayed, because every
 * commit from L on is replayed before the first answer. Up to here no file that is there has been
 * changed: replay appends large values to new extents, which are deleted if the opening is refused.
 * Only then does it delete the extents that the manifest does not name, and repair the end of the
 * log. A replay that needs more memory than there is takes checkpoints of its own, and does both of
 * these before the first ({@link io.bg3.core.recovery.LogReplay}).
 *
 * <p>A new store has a manifest before it has an extent or a record in its log. So these beside no
 * manifest are a store whose manifest is lost, and never one whose creation was interrupted.
 *
 * <p>The parts of a running store:
 *
 * <pre>
 *   RowKeeper         the thread that decides what is done next
 *   Checkpointer      takes checkpoints, and flushes leaves between two of them
 *   RowLock           only its holder changes rows
 *   NextManifest      the rows that the next manifest names, and the images that it gives up
 *   RowManifests      writes manifests that write no page, between checkpoints and in one
 *   ManifestDemand    what asks for a manifest beside the log
 *   CheckpointSpace   keeps the space to its bound while a checkpoint writes
 *   CheckpointSync    keeps the unsynced bytes few
 *   SpaceReclaim      has images and values copied, and takes out what has expired
 * </pre>
 *
 * <p>Which large values are wanted is in the manifest's rows of the extents, and not found out by
 * opening: {@link io.bg3.core.recovery.ValueReferences}.
 */
package io.bg3.core.recovery;
