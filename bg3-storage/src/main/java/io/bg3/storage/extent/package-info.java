/**
 * Append-only extents: where page images, deltas, large values and page-table rows lie.
 *
 * <p>Every stream is cut into extents. An extent is appended to, sealed, read at random and deleted
 * as a whole; sealed, it never changes. A {@linkplain io.bg3.storage.extent.Location location} is
 * all that is needed to read a record, with one positional read.
 *
 * <p>A caller that lets go of a location releases it. The package counts the live bytes and the
 * garbage of each extent and decides nothing. After a crash the manifest's rows say what is live:
 * extents that it does not name are deleted when the store opens, and records that were appended
 * behind a row's {@code written} are overwritten.
 *
 * <p>Nothing here is durable before {@link io.bg3.storage.extent.ExtentStore#sync} has returned; a
 * manifest may only name what was synced.
 */
package io.bg3.storage.extent;
