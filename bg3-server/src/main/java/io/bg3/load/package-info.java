/** Loading files of any format into a graph, in a store or behind a server. */
package io.bg3.load;
