/** The data of LinkBench and what its workload asks of a store, and the store that is a map. */
package io.bg3.linkbench.model;
