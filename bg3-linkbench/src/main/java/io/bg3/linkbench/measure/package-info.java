/** Latencies of operations: recorded, logged, tabulated, drawn. */
package io.bg3.linkbench.measure;
