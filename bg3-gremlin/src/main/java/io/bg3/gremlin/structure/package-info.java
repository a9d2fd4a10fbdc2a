/**
 * The graph, its elements and transactions as TinkerPop knows them. Classes are named after
 * TinkerGraph's.
 *
 * <p>A transaction belongs to the thread that opened it; {@link
 * io.bg3.gremlin.structure.OpenTransaction} is what thread, elements and iterators share. Elements
 * outlive transactions: they know their id, and read what they are asked for in the transaction of
 * the thread that asks.
 */
package io.bg3.gremlin.structure;
