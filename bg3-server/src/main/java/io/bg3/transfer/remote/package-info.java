/**
 * Loads and exports the graph of a running server, through TinkerPop's driver and ordinary queries.
 * The server reads and writes no files.
 */
package io.bg3.transfer.remote;
