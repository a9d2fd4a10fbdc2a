/** The phases of a benchmark: load, run, verify. */
package io.bg3.linkbench.phase;
