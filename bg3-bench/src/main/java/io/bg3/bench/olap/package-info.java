/** The processes that compute over a whole graph, on BG3 and on TinkerGraph. */
package io.bg3.bench.olap;
