/**
 * Takes a request from its bytes to its answer. Nothing but framing is done in an event loop: a
 * message becomes a {@link io.bg3.server.request.QueuedRequest}, and a worker of the {@link
 * io.bg3.server.dispatch.Scheduler} does the rest of it ({@link
 * io.bg3.server.request.RequestProcessor}): reads and validates it, asks whether the user may run
 * it, and evaluates it, or hands it to the session that it belongs to.
 */
package io.bg3.server.request;
