/**
 * The way into and out of a graph behind a running server, with TinkerPop's driver and the queries
 * that everybody may send: the server reads and writes no files.
 */
package io.bg3.transfer.remote;
