/**
 * Plain HTTP beside the WebSocket, for curl and for browsers: queries at {@code /gremlin}, figures
 * for Prometheus at {@code /metrics}, each on a port of its own, and on both at {@code /health}
 * whether the server takes requests.
 *
 * <ul>
 *   <li>H1: a request becomes the message that a driver would have sent, and goes the same way: the
 *       same login, queue, bounds and guard, the same threads, the same limits.
 *   <li>H2: a request by GET only reads, also a writer's: a link must not change anything.
 *   <li>H3: a request by POST is JSON, or a driver's message, and says so. A page of another site
 *       can send forms and plain text without asking, but neither of these; and a page that asks
 *       gets no permission.
 *   <li>H4: a connection has one request at a time, and half a minute to send the next one.
 *   <li>H5: a result whose query fails after a part of it has been sent ends with a broken
 *       connection, so that no client takes it for whole.
 * </ul>
 */
package io.bg3.server.http;
