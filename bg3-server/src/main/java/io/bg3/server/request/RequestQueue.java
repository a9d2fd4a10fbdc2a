package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.bg3.server.connection.AutoRead;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.Scheduler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;

/**
 * The end of a connection's pipeline: hands its requests to the scheduler, but for short reads,
 * which its event loop runs ({@link QuickReads}). A connection that has as many requests or bytes
 * waiting as one may have is not read from until half of them are gone, and one whose request found
 * the queue full is not read from for a moment. While the client does not read its answers, none of
 * its requests begins.
 *
 * <p>Threads: one instance a connection, in its event loop, but for {@link #left}.
 */
public final class RequestQueue extends ChannelInboundHandlerAdapter {
  /** Thread time that is charged at once: each charge takes the scheduler's lock. */
  private static final long CHARGE = TimeUnit.MILLISECONDS.toNanos(2);

  /** How long a connection is not read from after a request of it found the queue full. */
  private static final long PAUSE_MILLIS = 250;

  /** How long a worker waits for the end of requests that are answered. */
  private static final long MOMENT = TimeUnit.SECONDS.toNanos(10);

  /** Refused sessions that are remembered; with more of them the connection is closed. */
  private static final int MOST_REFUSED = 256;

  private final RequestProcessor processor;
  private final Scheduler scheduler;
  private final QuickReads quick;
  private ChannelHandlerContext context;
  private String owner;
  private Object user; // of the owner, null if it is an address
  private volatile Client client; // null until the first request
  private volatile boolean isFull;
  private volatile boolean hasSession;
  private boolean isPaused; // event loop
  private final AtomicInteger taken = new AtomicInteger(); // waiting or under way
  private long uncharged; // nanoseconds
  private final AtomicInteger underWay = new AtomicInteger(); // but for those in sessions
  private final AtomicInteger answered = new AtomicInteger(); // of these
  private final Set<RequestContext> inSessions = ConcurrentHashMap.newKeySet();
  private final Set<String> refusedSessions = ConcurrentHashMap.newKeySet();

  /** For one connection. */
  public RequestQueue(RequestProcessor processor) {
    this(processor, processor.scheduler());
  }

  /** For one connection, whose requests this scheduler runs. */
  RequestQueue(RequestProcessor processor, Scheduler scheduler) {
    this.processor = processor;
    this.scheduler = scheduler;
    this.quick = new QuickReads(processor, scheduler);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelRead(ChannelHandlerContext on, Object message) {
    if (message instanceof QueuedRequest request) {
      submit(request);
    } else {
      ReferenceCountUtil.release(message);
      Answers.close(context.channel()); // no handler behind takes it
    }
  }

  private void submit(QueuedRequest request) {
    connect();
    scheduler.limit(client, processor.limitsOf(context.channel()));
    take(request);
    if (!hasSession && quick.mayRun(client, request, context.channel())) {
      boolean isDone = quick.run(client, request, context.channel());
      charge(quick.took());
      if (isDone) {
        return;
      }
      request = request.again().orElseThrow();
      take(request);
    }
    LoopTurn.goesOn();
    if (scheduler.submit(client, request) > processor.backlog() && !isFull) {
      isFull = true;
      AutoRead.stop(context.channel(), AutoRead.Reason.BACKLOG);
      left(); // the workers may have been faster
    }
  }

  private void take(QueuedRequest request) {
    taken.incrementAndGet();
    request.submitted(this, processor, context, processor.isOpen());
  }

  /** Called by the thread that has evaluated a request. */
  void ended(QueuedRequest request, boolean isQuick) {
    quick.ended(request, isQuick);
  }

  /** Says whose the next request is. */
  private void connect() {
    Object of = context.channel().attr(StateKey.AUTHENTICATED_USER).get();
    if (owner != null && of == user) {
      return;
    }
    user = of;
    String now = processor.ownerOf(context.channel());
    if (!now.equals(owner)) { // by HTTP each request has a login of its own
      disconnect();
      owner = now;
      client = scheduler.connect(now);
      if (!context.channel().isWritable()) {
        scheduler.block(client, true);
      }
    }
  }

  /** Whether none of the connection's requests waits or is under way. Event loop. */
  boolean isEmpty() {
    return taken.get() == 0;
  }

  /** Charges the connection for time that its event loop has spent on a request. Event loop. */
  void charge(long nanos) {
    uncharged += nanos;
    if (uncharged >= CHARGE) {
      connect();
      scheduler.charge(client, uncharged);
      uncharged = 0;
    }
  }

  /** Called by any thread when a request is answered without having begun. */
  void refused() {
    taken.decrementAndGet();
    left();
  }

  /**
   * Called by any thread when a request found the queue full. The connection is not read from for a
   * moment: to refuse its requests as fast as it sends them would keep its event loop busy.
   */
  void pause() {
    context.channel().eventLoop().execute(this::pauseReading);
  }

  private void pauseReading() {
    if (!isPaused) {
      isPaused = true;
      AutoRead.stop(context.channel(), AutoRead.Reason.REFUSED);
      Future<?> unused =
          context.channel().eventLoop().schedule(this::goOn, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void goOn() {
    isPaused = false;
    AutoRead.resume(context.channel(), AutoRead.Reason.REFUSED);
  }

  /** Called by the worker that begins a request. */
  void begins() {
    underWay.incrementAndGet();
  }

  /** Called by any thread before the final answer of a request is written that is under way. */
  void answers() {
    answered.incrementAndGet();
  }

  /** Called by the worker that has ended one. */
  void ends(boolean isAnswered) {
    underWay.decrementAndGet();
    taken.decrementAndGet();
    if (isAnswered) {
      answered.decrementAndGet();
    }
  }

  /**
   * Whether the request of the calling worker is the only one that is under way. A client may have
   * the final answer of a request that has not ended yet: the worker waits for the end of such
   * requests.
   */
  boolean isAlone() {
    long end = System.nanoTime() + MOMENT;
    while (underWay.get() > 1 || !inSessions.isEmpty()) {
      boolean isAnswered =
          underWay.get() - answered.get() <= 1
              && inSessions.stream().allMatch(RequestContext::isFinalResponseWritten);
      if (!isAnswered || System.nanoTime() - end > 0) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the request was told to end
        return false;
      }
    }
    return true;
  }

  /** Called by any thread, after a request has left the queue. */
  void left() {
    if (isFull && scheduler.waitingBytes(client) <= processor.backlog() / 2) {
      Channel channel = context.channel();
      channel.eventLoop().execute(this::readAgain);
    }
  }

  private void readAgain() {
    if (isFull && scheduler.waitingBytes(client) <= processor.backlog() / 2) {
      isFull = false;
      AutoRead.resume(context.channel(), AutoRead.Reason.BACKLOG);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext on) {
    if (client != null) {
      scheduler.block(client, !context.channel().isWritable());
    }
    on.fireChannelWritabilityChanged();
  }

  /**
   * Keeps a request that is handed to its session, until it is answered or the connection closed.
   */
  void handOver(RequestContext request) {
    hasSession = true;
    inSessions.add(request);
    request.whenAnswered(() -> inSessions.remove(request));
    if (!context.channel().isActive()) {
      request.close();
    }
  }

  /**
   * Whether a transaction may be open. If one of its requests is not run because of the load, the
   * connection is closed: otherwise a commit that the client has sent behind it would commit half.
   */
  boolean hasSession() {
    return hasSession;
  }

  /**
   * Notes that a session did not begin because its first request was refused: what the client has
   * sent behind it belongs to the same transaction.
   */
  void refusedSession(String name) {
    if (refusedSessions.size() >= MOST_REFUSED) {
      Answers.closeAfterAnswers(context.channel());
    }
    refusedSessions.add(name);
  }

  /** Whether a session did not begin because its first request was refused. */
  boolean isRefusedSession(String name) {
    return !refusedSessions.isEmpty() && refusedSessions.contains(name);
  }

  /** Lets a session of this name begin again. */
  void forgetSession(String name) {
    refusedSessions.remove(name);
  }

  /** The connection, as the scheduler sees it. */
  Client client() {
    return client;
  }

  @Override
  public void channelInactive(ChannelHandlerContext on) {
    disconnect();
    List.copyOf(inSessions).forEach(RequestContext::close);
    on.fireChannelInactive();
  }

  private void disconnect() {
    if (client != null) {
      scheduler.disconnect(client);
    }
  }
}
