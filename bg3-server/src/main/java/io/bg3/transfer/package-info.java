/**
 * A graph on its way: vertices and edges as they stand in a file, where they come from and where
 * they go to. The packages below this one each know one format of files, or the way through a
 * server.
 *
 * <p>Rules kept here and by them:
 *
 * <ul>
 *   <li>B1: all vertices of all files are added before the first edge.
 *   <li>B2: a row is added whole or not at all; a bad one is reported with its place and the
 *       reason, and counted.
 *   <li>B3: rows are committed in batches; what a batch that was committed holds stays, also when a
 *       later row is bad.
 *   <li>X1: what a format cannot hold exactly is refused before the file is there, unless losses
 *       are allowed; then they are counted.
 *   <li>X2: memory is bounded by the largest batch and the largest single line of a file, not by
 *       the graph.
 * </ul>
 */
package io.bg3.transfer;
