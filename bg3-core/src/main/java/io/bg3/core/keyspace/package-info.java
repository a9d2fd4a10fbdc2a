/**
 * Keys as transactions know them: which tree holds a key, which stripe it belongs to, what one
 * transaction has read and written.
 *
 * <ul>
 *   <li>A {@link io.bg3.core.keyspace.KeySpace} is a set of keys in one order. All edges together
 *       are space 0; every byte-key tree is a space of its own.
 *   <li>{@link io.bg3.core.keyspace.Trees} finds the tree of a key and reads keys at a snapshot.
 *       {@link io.bg3.core.keyspace.LeafScan} and {@link io.bg3.core.keyspace.MergingScan} read
 *       ranges, one leaf at a time; between two leaves they hold nothing but a key (R11).
 *   <li>A {@link io.bg3.core.keyspace.WriteSet} buffers the writes of a transaction, {@link
 *       io.bg3.core.keyspace.SpaceReads} notes what it has read in one space.
 *   <li>{@link io.bg3.core.keyspace.ValueStore} keeps large values outside of the pages (R7).
 *   <li>{@link io.bg3.core.keyspace.SequenceReservations} gives parallel edges their numbers and
 *       draws the race of two edges for one number (R15).
 * </ul>
 *
 * <p>Nothing here locks, logs or changes a page. Threads: {@code Trees}, {@code ValueStore} and
 * {@code SequenceReservations} are used by any; the rest belongs to the thread of its transaction.
 */
package io.bg3.core.keyspace;
