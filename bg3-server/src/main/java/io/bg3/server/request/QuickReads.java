package io.bg3.server.request;

import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.QuickRuns;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.Scheduler;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has the requests of a connection run by its event loop that are likely to take less time than
 * handing them to a worker and back.
 *
 * <ul>
 *   <li>K1: all connections of an event loop together have {@link QuickRuns#MOMENT} in each turn of
 *       the loop ({@link LoopTurn}), with the batches of reads ({@link BatchReadHandler}). A
 *       request that begins in that time is told to end before it has taken twice that by itself.
 *   <li>K2: the loop answers successes alone ({@link QuickShapes}), in one message, whose results
 *       weigh at most 64 Ki. All else goes the way of all requests, from its bytes on; so an error,
 *       a refusal and the end of a query look as they do there, and are counted once.
 *   <li>K3: the owner of the connection is charged for the time, as for that of a worker.
 *   <li>K4: a request overtakes none that its connection has sent before, and none of another owner
 *       that comes before it ({@link Scheduler#mayRunQuickly}).
 *   <li>K5: what the loop does not answer has had no effect: a commit that fails, or would have to
 *       wait for anything, is given up before it has its timestamp (R58). One whose outcome is not
 *       known is answered, with the error.
 *   <li>K6: the loop does not wait until a commit is durable. It answers then, by a task of its own
 *       (R59); until then the request counts as one of its connection that runs. A loop that has
 *       run no other request in its turn may sync the log itself, behind the request.
 *   <li>K7: where an audit log has each request, the loop runs only those that read, and hands
 *       their lines over before it answers. A line about a write has to be there before the write.
 * </ul>
 *
 * <p>Whether a request is one that may be quick is known when it is decoded. To decode few of the
 * others twice, those are tried only that have as many bytes as a quick one of the connection had.
 *
 * <p>What an event loop may wait for all the same:
 *
 * <ul>
 *   <li>one read of the disk before the commit, which reads none, also one of which another thread
 *       waits for the end: the interrupt ends the query behind it. It closes the file's channel for
 *       a moment, and other reads of the file begin anew; so workers run the next queries of the
 *       kind ({@link QuickShapes}).
 *   <li>a lock that other threads hold for no longer than a processor takes, as the latch of a
 *       page.
 *   <li>behind the timestamp of its commit, the thread that makes commits visible, until that has a
 *       processor again; or it is that thread, for all that commit meanwhile (R58).
 *   <li>one sync of the log at the end of a turn, if the last ones took less than 0.3 ms. Behind
 *       one that takes longer, loops do not sync for a hundred times as long.
 *   <li>the line in the log of slow queries for a query that was told to end too late, or whose
 *       thread had no processor. Only the thread of the query knows the figures of the line.
 * </ul>
 *
 * <p>Threads: one instance a connection, in its event loop, but for {@link #ended}.
 */
final class QuickReads {
  /** Bytes of a request that is decoded by an event loop. */
  private static final int LARGEST = 1 << 10;

  private final RequestProcessor processor;
  private final Scheduler scheduler;
  private final QuickRuns runs;
  private final AtomicLong lengths = new AtomicLong(); // of quick requests, each a bit
  private long took; // nanoseconds, of the request that ran last

  QuickReads(RequestProcessor processor, Scheduler scheduler) {
    this.processor = processor;
    this.scheduler = scheduler;
    this.runs = scheduler.quickRuns();
  }

  /** Whether to try a request of a connection without sessions. */
  boolean mayRun(Client client, QueuedRequest request, Channel channel) {
    return (lengths.get() & bit(request)) != 0
        && request.bytes() <= LARGEST
        && LoopTurn.current().left() > 0
        && processor.mayRunQuickly()
        && channel.isWritable()
        && scheduler.mayRunQuickly(client); // takes the lock, so it comes last
  }

  /**
   * Runs a request.
   *
   * @return false if it was not answered, and has to be submitted anew
   */
  boolean run(Client client, QueuedRequest request, Channel channel) {
    LoopTurn turn = LoopTurn.current();
    turn.begin(channel.eventLoop());
    long begin = System.nanoTime();
    boolean isDone = runs.run(turn.in(runs), client, request);
    took = System.nanoTime() - begin;
    turn.took(took);
    if (!isDone) {
      forget(request);
    }
    return isDone;
  }

  /** Nanoseconds that the last {@link #run} took. */
  long took() {
    return took;
  }

  /** Called by the thread that has run a request. */
  void ended(QueuedRequest request, boolean isQuick) {
    if (!isQuick) {
      forget(request);
    } else if (request.isRepeatable() && (lengths.get() & bit(request)) == 0) {
      long unused = lengths.accumulateAndGet(bit(request), (before, bit) -> before | bit);
    }
  }

  private void forget(QueuedRequest request) {
    if ((lengths.get() & bit(request)) != 0) {
      long unused = lengths.accumulateAndGet(bit(request), (before, bit) -> before & ~bit);
    }
  }

  private static long bit(QueuedRequest request) {
    return 1L << request.bytes(); // modulo 64
  }

  /** Leaves a request to a worker, unless one runs it. Called by its thread. */
  static boolean leave(RunningRequest running) {
    if (running.isQuick()) {
      running.leaveToWorker();
    }
    return running.isQuick();
  }
}
