/**
 * The transfer of graphs: records for vertices and edges of a file, the sources that a transfer
 * reads and the targets to which it writes. Each package below this one implements one file format,
 * the access through a server, or the transfer of definitions.
 *
 * <p>These packages keep the following rules:
 *
 * <ul>
 *   <li>B1: all vertices of all files are added before the first edge.
 *   <li>B2: a row is added as a whole or not at all; a bad row is reported with its place and the
 *       reason, and counted.
 *   <li>B3: rows are committed in batches; the rows of a committed batch remain, even if a later
 *       row is bad.
 *   <li>X1: an export of a graph that the format cannot hold exactly fails before the file exists,
 *       unless losses are allowed; then they are counted.
 *   <li>X2: memory is bounded by the largest batch and the largest single line of a file, not by
 *       the graph.
 *   <li>X3: when an exported graph has its name, its file of definitions has its own.
 * </ul>
 */
package io.bg3.transfer;
