/** Makes stores with a graph in them for those who have no data. */
package io.bg3.bench.generate;
