package io.bg3.server.request;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.answer.ServerStoppingException;
import io.bg3.server.dispatch.RunningRequest;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.remote.traversal.DefaultRemoteTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Runs calls of batches in worker threads, as Gremlin Server runs a traversal but without one: with
 * its limit of time and its errors.
 *
 * <p>Threads: shared by all connections.
 */
final class BatchQueries {
  /** How long a client may not read: nothing else ends a request that has completed. */
  private static final long PATIENCE_SECONDS = 30;

  private static final Set<String> ARGUMENTS =
      Set.of(
          Tokens.ARGS_GREMLIN,
          Tokens.ARGS_ALIASES,
          Tokens.ARGS_BATCH_SIZE,
          Tokens.ARGS_EVAL_TIMEOUT);

  private final GraphManager manager;
  private final GuardContext graphs;
  private final Runnable begin;

  /**
   * @param begin is called by the thread that begins a query
   */
  BatchQueries(GraphManager manager, GuardContext graphs, Runnable begin) {
    this.manager = manager;
    this.graphs = graphs;
    this.begin = begin;
  }

  /** The graph that a request is for; empty if it is not BG3's, or there is none. */
  static Optional<Bg3Graph> graph(GuardContext graphs, RequestMessage request) {
    return graphs
        .graph(GraphName.of(request))
        .flatMap(graph -> graph instanceof Bg3Graph own ? Optional.of(own) : Optional.empty());
  }

  /**
   * The results of a call.
   *
   * @param between called now and then; may throw to end it
   * @throws IllegalStateException if the service is another's meanwhile
   */
  static List<?> results(Bg3Graph graph, Bytecode.Instruction call, Runnable between) {
    String service = (String) call.getArguments()[0];
    return Bg3Services.call(graph, service, (Map<?, ?>) call.getArguments()[1], between)
        .orElseThrow(() -> new IllegalStateException("service is not there: name=" + service));
  }

  /** The answer with these results. */
  static ResponseMessage response(RequestMessage request, Channel channel, List<?> results) {
    List<Object> traversers = new ArrayList<>(results.size());
    results.forEach(result -> traversers.add(new DefaultRemoteTraverser<>(result, 1)));
    return ResponseMessage.build(request)
        .code(ResponseStatusCode.SUCCESS)
        .statusAttributes(Map.of(Tokens.ARGS_HOST, channel.remoteAddress().toString()))
        .responseMetaData(Map.of())
        .result(traversers)
        .create();
  }

  /** The call that a request consists of; empty if it is another request. */
  static Optional<Bytecode.Instruction> call(RequestMessage request) {
    Map<String, Object> arguments = request.getArgs();
    if (!Tokens.OPS_BYTECODE.equals(request.getOp())
        || !"traversal".equals(request.getProcessor())
        || !ARGUMENTS.containsAll(arguments.keySet())
        || !GraphName.isIn(request)
        || !(arguments.get(Tokens.ARGS_GREMLIN) instanceof Bytecode query)
        || !query.getSourceInstructions().isEmpty()
        || query.getStepInstructions().size() != 1) {
      return Optional.empty();
    }
    Bytecode.Instruction step = query.getStepInstructions().get(0);
    return Optional.of(step).filter(BatchQueries::isBatch);
  }

  private static boolean isBatch(Bytecode.Instruction step) {
    Object[] arguments = step.getArguments();
    return step.getOperator().equals("call")
        && arguments.length == 2
        && Bg3Services.isBatch(arguments[0])
        && arguments[1] instanceof Map<?, ?> parameters
        && parameters.size() == 1
        && parameters.get(Bg3Services.OPERATIONS) instanceof ByteBuffer;
  }

  /** Whether the service that is called is BG3's and not an application's of the same name. */
  boolean isOffered(RequestMessage request, Bytecode.Instruction call) {
    return graph(graphs, request)
        .filter(graph -> isOffered(graph, (String) call.getArguments()[0]))
        .isPresent();
  }

  static boolean isOffered(Bg3Graph graph, String service) {
    return Bg3Services.isOffered(graph, service);
  }

  /** Answers a call, in the calling worker. */
  void run(RequestContext context, Bytecode.Instruction call) {
    RequestMessage request = context.getRequestMessage();
    context.setStartedResponse();
    Optional<Bg3Graph> found = graph(graphs, request);
    if (found.isEmpty()) {
      context.writeAndFlush(FailureAnswers.dropped(request));
      return;
    }
    Bg3Graph graph = found.get();
    boolean writes = !graph.onlyReads((String) call.getArguments()[0]);
    if (writes) {
      context.setDoneInParts();
    }
    try {
      manager.beforeQueryStart(request);
      begin.run();
      Channel channel = context.getChannelHandlerContext().channel();
      List<?> results = results(graph, call, Bg3Services::checkInterrupt);
      if (writes) {
        RunningRequest.current()
            .ifPresent(RunningRequest::completed); // only that may be answered now
      }
      // Nothing would give back the memory of an answer to a connection that is closed.
      if (!ClientReads.await(channel, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        manager.onQuerySuccess(request);
        return;
      }
      manager.onQuerySuccess(request); // before bytes are made, which have to be released
      context.writeAndFlush(
          ResponseStatusCode.SUCCESS, written(response(request, channel, results), channel));
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
    }
  }

  /** Writes it in this thread, which no other request shares. */
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
