package io.bg3.server.request;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.QuickRuns;
import io.bg3.storage.Waiting;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The short way for a request that is nothing but one call of {@code bg3.batch.read} ({@link
 * BatchMessage}): it is validated in the event loop, by the rules of all requests, and answered
 * there, without a traversal. Handing it from thread to thread would take longer than that.
 *
 * <ul>
 *   <li>B1: all connections of an event loop together have {@link QuickRuns#MOMENT} in each turn of
 *       the loop. A batch that takes longer goes the way of all requests, from its bytes on, since
 *       it only reads; and so does what fails or is refused, so that an error looks as it does
 *       there.
 *   <li>B2: the owner of the connection is charged for the time, as for that of a worker.
 *   <li>B3: a request does not overtake those that its connection has sent before.
 *   <li>B4: an answer of more than {@link #LARGEST} bytes goes the way of all requests.
 * </ul>
 *
 * <p>A read that waits for the disk holds up the event loop for that one read. One that would wait
 * for memory goes the way of all requests ({@link Waiting}).
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
final class BatchReadHandler extends ChannelInboundHandlerAdapter {
  private static final int LARGEST = 64 << 10;

  private final Authorization authorization;
  private final Admission intake;
  private final GraphManager manager;
  private final GuardContext graphs;
  private final MessageSerializer<?> format;
  private final RequestQueue queue;

  /**
   * @param manager is told of queries
   * @param graphs that queries are for
   * @param format of the messages
   * @param queue the connection's
   */
  BatchReadHandler(
      Authorization authorization,
      Admission intake,
      GraphManager manager,
      GuardContext graphs,
      MessageSerializer<?> format,
      RequestQueue queue) {
    this.authorization = authorization;
    this.intake = intake;
    this.manager = manager;
    this.graphs = graphs;
    this.format = format;
    this.queue = queue;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof BinaryWebSocketFrame frame && mayAnswer(context)) {
      boolean isPassedOn = false;
      try {
        Optional<RequestMessage> request = BatchMessage.read(frame.content());
        isPassedOn = request.isEmpty() || !answer(context, request.get());
      } finally {
        if (!isPassedOn) { // it is answered, or an error ends the connection
          frame.release();
        }
      }
      if (!isPassedOn) {
        return;
      }
    }
    context.fireChannelRead(message);
  }

  private boolean mayAnswer(ChannelHandlerContext context) {
    MessageSerializer<?> now = context.channel().attr(StateKey.SERIALIZER).get();
    return LoopTurn.current().left() > 0
        && queue.isEmpty() // B3
        && authorization.isQuick()
        && intake.isOpen()
        && context.channel().isWritable()
        && (now == null || now == format);
  }

  /** Whether the request was answered: it is allowed, only reads, and has done so in time. */
  private boolean answer(ChannelHandlerContext context, RequestMessage request) {
    Bytecode.Instruction call = BatchQueries.call(request).orElseThrow();
    String service = (String) call.getArguments()[0];
    Optional<Bg3Graph> found = BatchQueries.graph(graphs, request);
    if (found.isEmpty()
        || !BatchQueries.isOffered(found.get(), service)
        || !found.get().onlyReads(service)
        || !authorization.allows(context, request)) {
      return false;
    }
    Bg3Graph graph = found.get();
    LoopTurn turn = LoopTurn.current();
    turn.begin(context.channel().eventLoop());
    long begin = System.nanoTime();
    Waiting.forbid();
    try {
      manager.beforeQueryStart(request);
      List<?> results = BatchQueries.results(graph, call, () -> checkTime(begin, turn));
      if (results.get(0) instanceof ByteBuffer bytes && bytes.remaining() > LARGEST) { // B4
        throw new TraversalInterruptedException();
      }
      manager.onQuerySuccess(request);
      authorization.passed(context, request);
      context.channel().attr(StateKey.SERIALIZER).set(format);
      context.channel().attr(StateKey.USE_BINARY).set(true);
      context
          .writeAndFlush(BatchQueries.response(request, context.channel(), results))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      return true;
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      return false; // told on the other way
    } finally {
      Waiting.allow();
      long took = System.nanoTime() - begin;
      turn.took(took);
      queue.charge(took); // B2
    }
  }

  private static void checkTime(long begin, LoopTurn turn) {
    if (System.nanoTime() - begin > turn.left()) {
      throw new TraversalInterruptedException();
    }
  }
}
