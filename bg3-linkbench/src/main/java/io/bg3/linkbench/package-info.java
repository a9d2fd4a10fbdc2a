/** Room for the adapter that LinkBench's own driver loads; empty until it is built. */
package io.bg3.linkbench;
