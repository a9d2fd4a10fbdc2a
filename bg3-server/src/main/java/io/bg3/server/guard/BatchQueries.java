package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Services;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.remote.traversal.DefaultRemoteTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.op.AbstractOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Runs calls of batches in the threads of queries, as Gremlin Server runs a traversal but without
 * one: the same queue, the same limit of time, the same errors.
 *
 * <p>Threads: shared by all connections.
 */
final class BatchQueries {
  private final ServerGremlinExecutor server;
  private final GraphManager manager;
  private final Bg3Graph graph;
  private final Runnable begin;

  /**
   * @param begin is called by the thread that begins a query
   */
  BatchQueries(ServerGremlinExecutor server, Bg3Graph graph, Runnable begin) {
    this.server = server;
    this.manager = server.getGraphManager();
    this.graph = graph;
    this.begin = begin;
  }

  /**
   * The results of a call, as they are sent.
   *
   * @param between called now and then; may throw to end it
   * @throws IllegalStateException if the service is another's meanwhile
   */
  static ResponseMessage results(
      Bg3Graph graph,
      RequestMessage request,
      Channel channel,
      Bytecode.Instruction call,
      Runnable between) {
    String service = (String) call.getArguments()[0];
    List<?> results =
        Bg3Services.call(graph, service, (Map<?, ?>) call.getArguments()[1], between)
            .orElseThrow(() -> new IllegalStateException("service is not there: name=" + service));
    List<Object> traversers = new ArrayList<>(results.size());
    results.forEach(result -> traversers.add(new DefaultRemoteTraverser<>(result, 1)));
    return ResponseMessage.build(request)
        .code(ResponseStatusCode.SUCCESS)
        .statusAttributes(Map.of(Tokens.ARGS_HOST, channel.remoteAddress().toString()))
        .responseMetaData(Map.of())
        .result(traversers)
        .create();
  }

  /** Has a call answered that was judged. */
  void submit(ChannelHandlerContext channel, RequestMessage request, Bytecode.Instruction call) {
    Context context =
        new Context(
            request,
            channel,
            server.getSettings(),
            manager,
            server.getGremlinExecutor(),
            server.getScheduledExecutorService());
    FutureTask<Void> query = new FutureTask<>(() -> run(context, call), null);
    try {
      server.getGremlinExecutorService().execute(query);
    } catch (RejectedExecutionException e) {
      if (!channel.channel().isWritable()) {
        Answers.close(channel.channel()); // asks and asks, and reads nothing
        return;
      }
      context.writeAndFlush(
          ResponseMessage.build(request)
              .code(ResponseStatusCode.TOO_MANY_REQUESTS)
              .statusMessage("Rate limiting")
              .create());
      return;
    }
    context.setTimeoutExecutor(
        server
            .getScheduledExecutorService()
            .schedule(
                () -> end(context, query),
                server.getSettings().getEvaluationTimeout(),
                TimeUnit.MILLISECONDS));
  }

  private static void end(Context context, FutureTask<Void> query) {
    query.cancel(true);
    if (!context.getStartedResponse()) {
      context.sendTimeoutResponse();
    }
  }

  private void run(Context context, Bytecode.Instruction call) {
    RequestMessage request = context.getRequestMessage();
    context.setStartedResponse();
    try {
      manager.beforeQueryStart(request);
      begin.run();
      Channel channel = context.getChannelHandlerContext().channel();
      ResponseMessage results = results(graph, request, channel, call, Bg3Services::checkInterrupt);
      while (channel.isActive() && !channel.isWritable()) {
        Thread.sleep(AbstractOpProcessor.WRITE_PAUSE_TIME_MS); // who does not read is waited for
      }
      if (!channel.isActive()) { // nobody would give back the memory of an answer
        manager.onQuerySuccess(request);
        return;
      }
      Object answer = written(results, channel);
      manager.onQuerySuccess(request);
      context.writeAndFlush(ResponseStatusCode.SUCCESS, answer);
    } catch (ServerStoppingException e) {
      manager.onQueryError(request, e);
      context.writeAndFlush(
          ResponseMessage.build(request)
              .code(ResponseStatusCode.SERVER_ERROR_TEMPORARY)
              .statusMessage(e.getMessage())
              .statusAttributeException(e)
              .create());
    } catch (TraversalInterruptedException | InterruptedException e) {
      manager.onQueryError(request, e);
      context.sendTimeoutResponse();
    } catch (RuntimeException | SerializationException | Error e) {
      manager.onQueryError(request, e);
      context.writeAndFlush(
          ResponseMessage.build(request)
              .code(ResponseStatusCode.SERVER_ERROR)
              .statusMessage(e.getMessage())
              .statusAttributeException(e)
              .create());
    } finally {
      var timeout = context.getTimeoutExecutor();
      if (timeout != null) {
        timeout.cancel(true);
      }
    }
  }

  /** Writes it in this thread, which nobody shares. */
  private static Object written(ResponseMessage response, Channel channel)
      throws SerializationException {
    MessageSerializer<?> format = channel.attr(StateKey.SERIALIZER).get();
    return new Frame(
        channel.attr(StateKey.USE_BINARY).get()
            ? format.serializeResponseAsBinary(response, channel.alloc())
            : ((MessageTextSerializer<?>) format)
                .serializeResponseAsString(response, channel.alloc()));
  }
}
