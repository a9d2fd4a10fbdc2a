/**
 * Decides which request begins next, in which thread, and when it has to end. Knows neither the
 * network nor TinkerPop.
 *
 * <p>The life of a request:
 *
 * <pre>
 *   event loop    frames are put together; the bytes of a message are copied and submitted
 *       |
 *       v
 *   FairQueue     waits: the owner, then the connection, that has used the least thread time is next
 *       |           refused: too many wait, waited too long, the server stops
 *       v
 *   worker        validate the bytes, decode, bounds, authorise, translate      "prepared": the next
 *       |                                                                    request of the
 *       |                                                                    connection may begin
 *       v
 *   the same      strategies, steps, serialising, commit                     RunningRequest
 *   worker
 *       |
 *       v
 *   event loop    bytes are written
 * </pre>
 *
 * <p>A request of a session is prepared by a worker and then waits for the session's own thread. A
 * short request is run by the event loop itself ({@link io.bg3.server.dispatch.QuickRuns}); it
 * takes no place and is never in the queue. If its commit waits for the disk, no thread waits with
 * it, and the loop answers later ({@link io.bg3.server.dispatch.LateAnswer}).
 *
 * <p>Where a request stands decides which thread it may keep; {@link
 * io.bg3.server.dispatch.Scheduler} states the rules (D1 to D7), {@link
 * io.bg3.server.dispatch.PreemptionPolicy} those for requests that lose their place (V1 to V4).
 *
 * <p>What one lock guards, and who takes it:
 *
 * <pre>
 *   event loops, sessions, administrators        workers        the watch
 *                  |                                |               |
 *                  v                                v               v
 *              Scheduler  ------------------------------------->  Tick
 *                  |                                                |
 *                  v                                                v
 *              SchedulerLock   gives the lock back, then unparks and starts threads
 *                  |
 *                  v
 *              Schedule        FairQueue, Owners, Places, Workers, Deadlines, LongRequests,
 *                              StuckRequests, Refusals, Drain
 * </pre>
 */
package io.bg3.server.dispatch;
