/** Makes stores with a graph in them, for users without data. */
package io.bg3.bench.generate;
