/** What the guard of the server costs: BG3's server beside TinkerPop's own, with one graph. */
package io.bg3.bench.server;
