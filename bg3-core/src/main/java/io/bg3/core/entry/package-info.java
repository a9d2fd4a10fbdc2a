/**
 * Entries on the heap: keys, what an entry does to its key, columns of entries, and which versions
 * of a key stay.
 *
 * <ul>
 *   <li>{@link io.bg3.core.entry.EdgeKey} is the key of an edge; any other key is a string of
 *       bytes.
 *   <li>{@link io.bg3.core.entry.Entries} are entries in columns: what a reader copied from a page,
 *       what a commit is about to write, what a page is built from.
 *   <li>{@link io.bg3.core.entry.Horizon} says which versions are still read, {@link
 *       io.bg3.core.entry.Pruning} drops the others (R9).
 * </ul>
 *
 * <p>The package knows no page and no memory but the heap. Threads: columns belong to one thread; a
 * {@code Horizon} is immutable.
 */
package io.bg3.core.entry;
