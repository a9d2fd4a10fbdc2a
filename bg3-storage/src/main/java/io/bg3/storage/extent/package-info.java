/**
 * Append-only extents: where page images, deltas, large values and page-table rows lie.
 *
 * <p>Every stream is cut into extents. An extent is appended to, sealed, read at random and deleted
 * as a whole; sealed, it never changes. A {@linkplain io.bg3.storage.extent.Location location} is
 * all that is needed to read a record, with one positional read.
 *
 * <p>The holder of a location says so and says when it lets go of it: the package counts live bytes
 * and garbage an extent and decides nothing. What is live after a crash is what the manifest's rows
 * say, since extents that it does not name are deleted when the store opens, and what was appended
 * behind a row's {@code written} is written over.
 *
 * <p>Nothing here is durable before {@link io.bg3.storage.extent.ExtentStore#sync} has returned; a
 * manifest may only name what was synced.
 */
package io.bg3.storage.extent;
