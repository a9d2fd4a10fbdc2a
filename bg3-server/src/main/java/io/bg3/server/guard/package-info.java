/**
 * What stands between a client and the graph, whoever the client is: judges each message on its
 * bytes before anything is made of it, each query before anything runs it, and keeps what a client
 * may take up within limits.
 *
 * <p>Nothing but framing is done in an event loop: a message becomes a {@link
 * io.bg3.server.guard.QueuedRequest}, and a worker of the {@link io.bg3.server.dispatch.Scheduler}
 * does the rest of it ({@link io.bg3.server.guard.RequestProcessor}).
 */
package io.bg3.server.guard;
