/**
 * LinkBench's model of a social graph's workload, from its published parameters: how many links a
 * node has, which nodes are asked for, how large payloads are, and the stream of requests that
 * follows from a seed. Knows no store.
 */
package io.bg3.linkbench.workload;
