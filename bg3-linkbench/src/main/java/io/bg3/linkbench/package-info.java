/**
 * Room for the adapter that runs the LinkBench social graph benchmark on BG3 through the graph
 * layer of the engine; empty until it is built.
 */
package io.bg3.linkbench;
