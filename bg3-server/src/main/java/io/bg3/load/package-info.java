/** Loads files of any supported format into a graph, in a store or on a server. */
package io.bg3.load;
