package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * The short way for a request that is nothing but one call of {@code bg3.batch.read} ({@link
 * BatchMessage}): it is judged in the event loop, by the rules of all requests, and answered there,
 * without a traversal. Handing it from thread to thread would take longer than that.
 *
 * <p>What takes more than a moment goes the way of all requests, from its bytes on, since it only
 * reads; and so does what fails or is refused, so that an error looks as it does there. So a
 * connection has the thread that it shares with others for that moment, each time that it is read
 * from.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
final class BatchGate extends ChannelInboundHandlerAdapter {
  private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);

  private final Authorization authorization;
  private final Intake intake;
  private final GraphManager manager;
  private final Bg3Graph graph;
  private final MessageSerializer<?> format;
  private long left = MOMENT; // until the connection has been read from again

  /**
   * @param manager is told of queries
   * @param format of the messages
   */
  BatchGate(
      Authorization authorization,
      Intake intake,
      GraphManager manager,
      Bg3Graph graph,
      MessageSerializer<?> format) {
    this.authorization = authorization;
    this.intake = intake;
    this.manager = manager;
    this.graph = graph;
    this.format = format;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof BinaryWebSocketFrame frame && mayAnswer(context)) {
      Optional<RequestMessage> request = BatchMessage.read(frame.content());
      if (request.isPresent() && answer(context, request.get())) {
        frame.release();
        return;
      }
    }
    context.fireChannelRead(message);
  }

  private boolean mayAnswer(ChannelHandlerContext context) {
    MessageSerializer<?> now = context.channel().attr(StateKey.SERIALIZER).get();
    return left > 0
        && authorization.isQuick()
        && intake.isOpen()
        && context.channel().isWritable()
        && (now == null || now == format);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    left = MOMENT;
    context.fireChannelReadComplete();
  }

  /** Whether the request was answered: it is allowed, only reads, and has done so in time. */
  private boolean answer(ChannelHandlerContext context, RequestMessage request) {
    Bytecode.Instruction call = BatchQueries.call(request).orElseThrow();
    String service = (String) call.getArguments()[0];
    if (!BatchQueries.isOffered(graph, service)
        || !graph.onlyReads(service)
        || !authorization.allows(context, request)) {
      return false;
    }
    long begin = System.nanoTime();
    try {
      manager.beforeQueryStart(request);
      ResponseMessage results =
          BatchQueries.results(graph, request, context.channel(), call, () -> checkTime(begin));
      manager.onQuerySuccess(request);
      authorization.passed(context, request);
      context.channel().attr(StateKey.SERIALIZER).set(format);
      context.channel().attr(StateKey.USE_BINARY).set(true);
      context.writeAndFlush(results).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      return true;
    } catch (RuntimeException e) {
      return false; // told on the other way
    } finally {
      left -= System.nanoTime() - begin;
    }
  }

  private void checkTime(long begin) {
    if (System.nanoTime() - begin > left) {
      throw new TraversalInterruptedException();
    }
  }
}
