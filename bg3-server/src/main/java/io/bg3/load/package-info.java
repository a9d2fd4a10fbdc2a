/**
 * Bulk loading of CSV files whose headers name what their columns are ({@code ~id, ~label, ~from,
 * ~to, name:type}).
 *
 * <p>Rules kept here:
 *
 * <ul>
 *   <li>B1: all files of vertices are read before the first file of edges, whatever order they were
 *       given in.
 *   <li>B2: a row is loaded whole or not at all; a bad one is reported with file, line and reason,
 *       and counted.
 *   <li>B3: rows are committed in batches; what a batch that was committed holds stays, also when a
 *       later row is bad.
 * </ul>
 */
package io.bg3.load;
