/**
 * The locks of a commit: one gate, and many stripes behind it.
 *
 * <p>Every key belongs to one stripe. A commit holds the stripes of the keys that it wrote
 * exclusively and those of the keys that it read shared, from its validation until its entries are
 * in the pages. A commit that read a range which no single stripe covers takes the whole gate.
 *
 * <ul>
 *   <li>A {@link io.bg3.core.lock.LockSet} says which locks a commit needs.
 *   <li>{@link io.bg3.core.lock.Locks} takes and releases them: the gate first, then the stripes in
 *       ascending order, so commits cannot deadlock.
 *   <li>{@link io.bg3.core.lock.HeldLocks} are locks that a commit or a retry holds; they are
 *       released once, in whatever order their holders end.
 * </ul>
 *
 * <p>The package knows numbers of stripes and no keys. A thread never waits for a lock while it
 * holds other locks (R17). Threads: any; a lock set belongs to one thread until it is sealed.
 */
package io.bg3.core.lock;
