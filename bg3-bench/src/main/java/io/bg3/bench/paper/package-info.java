/**
 * The experiments of the BG3 paper (SIGMOD-Companion '24), repeated on the page formats of this
 * engine.
 *
 * <p>{@link io.bg3.bench.paper.PageRun} stores the leaves of one tree in extents, writes one edge
 * after the other, each of which is flushed by itself, and reads pages back without a cache. How a
 * page is flushed is a {@link io.bg3.bench.paper.FlushRule}: the one thing in which the runs of an
 * experiment differ.
 */
package io.bg3.bench.paper;
