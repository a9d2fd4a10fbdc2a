/**
 * The declarations of an operator about a graph, beside its elements: families, forms of edge
 * labels, schemas and property indexes. They are read from a store, a server or a file, compared,
 * and written to a file.
 *
 * <ul>
 *   <li>D1: a file is read as a whole, and refused if it has anything that is not understood.
 *   <li>D2: all definitions are compared with those of the store, and with each other, before the
 *       first is applied.
 *   <li>D3: a definition that the store has otherwise is refused; it is never changed.
 * </ul>
 */
package io.bg3.transfer.definitions;
