/**
 * The formats that store every vertex with all its edges: GraphSON 3, one vertex a line, and Gryo.
 * TinkerPop reads and writes both, one vertex at a time.
 */
package io.bg3.transfer.star;
