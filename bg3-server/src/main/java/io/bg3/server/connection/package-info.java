/**
 * Bounds what a connection takes up, whatever it sends: how many connections there are and which of
 * them gives way, the bytes that are not a request yet, the time to become a WebSocket, silence,
 * and answers that the client does not read.
 *
 * <p>All handlers run in event loops and look at frames and bytes only.
 */
package io.bg3.server.connection;
