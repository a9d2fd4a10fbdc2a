/** Measures the cost of the server's guard: BG3's server beside TinkerPop's own, with one graph. */
package io.bg3.bench.server;
