/**
 * The property graph on top of transactions: ids, records, edges in both directions, totals.
 *
 * <p>What is kept here:
 *
 * <ul>
 *   <li>Codes of labels and keys are made by the dictionary before anything uses them; a look-up
 *       that found no code goes through the transaction, so that "there is no such label" is
 *       validated.
 *   <li>Adding an edge reads the existence of both ends; removing a vertex reads the whole range of
 *       its edges and removes each in both directions. So whichever of the two commits second
 *       conflicts, and no edge is left without an end.
 *   <li>Parallel edges take their number from {@code reserveSequence}, which is no read: two
 *       transactions that add edges between the same vertices both commit.
 *   <li>Totals are increments of the commit; asking for one is a read.
 *   <li>What is special about a label is declared in the commit that makes its code: the thread
 *       that writes an edge knows which entries it has. Edges with an ordered label are read in
 *       their order, where their properties are.
 * </ul>
 */
package io.bg3.core.graph;
