/**
 * The formats in which every vertex stands with all its edges: GraphSON 3, a line for each vertex,
 * and Gryo. Both are read and written by TinkerPop, one vertex at a time.
 */
package io.bg3.transfer.star;
