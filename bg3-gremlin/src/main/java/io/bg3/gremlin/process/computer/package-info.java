/**
 * Computations over the whole graph: {@link io.bg3.gremlin.process.computer.Bg3GraphComputer} runs
 * vertex programs and map-reduce jobs on one snapshot.
 *
 * <p>A computation numbers its vertices 0, 1, 2, … ({@code VertexNumbers}). What it computes is in
 * columns by these numbers ({@code Column}), and so are messages ({@code MessageBoard}). Numbers
 * take their width, other values a reference. The neighbours along which messages travel are in
 * arrays of numbers ({@code Adjacency}), read from the store once. No object stands for a vertex or
 * an edge for longer than a program looks at it.
 *
 * <p>Threads: the vertices are divided into blocks of numbers. In one iteration a block belongs to
 * one worker, so the columns of computed values need no lock. The end of an iteration, where the
 * thread of the computation waits for all workers, orders the writes of one iteration before the
 * reads of the next. Only messages to any vertex (global scope) are stored under a lock, one for
 * each block.
 */
package io.bg3.gremlin.process.computer;
