/**
 * The reads of LDBC's Social Network Benchmark, as Gremlin, on a generated graph of its shape, each
 * system in a JVM of its own.
 */
package io.bg3.bench.snb;
