/**
 * The adapter that LinkBench's own driver loads, and where stores come from. LinkBench is not among
 * the libraries: the adapter is compiled against signatures, and runs where LinkBench is.
 */
package io.bg3.linkbench;
