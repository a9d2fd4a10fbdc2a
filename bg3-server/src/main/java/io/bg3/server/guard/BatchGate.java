package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Services;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * The short way for a request that is nothing but one call of {@code bg3.batch} or {@code
 * bg3.batch.read}: it is judged where it arrives, by the same rules, and one that reads is answered
 * there as well, without a traversal. Handing it from thread to thread would take longer than that.
 *
 * <p>What takes more than a moment goes the way of all requests, from the beginning, since it only
 * reads; and so does what fails, so that an error looks as it does there. So a connection has the
 * thread that it shares with others for that moment, each time that it is read from.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
final class BatchGate extends ChannelInboundHandlerAdapter {
  private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Map<String, String> ALIASES = Map.of("g", "g");
  private static final Set<String> ARGUMENTS =
      Set.of(Tokens.ARGS_GREMLIN, Tokens.ARGS_ALIASES, Tokens.ARGS_BATCH_SIZE);

  private final AuthorizationGate guard;
  private final GraphManager manager;
  private final Bg3Graph graph;
  private final String next;
  private long left = MOMENT; // until the connection has been read from again

  /**
   * @param guard that stands further on
   * @param manager is told of queries
   * @param next the guard's name in the pipeline
   */
  BatchGate(AuthorizationGate guard, GraphManager manager, Bg3Graph graph, String next) {
    this.guard = guard;
    this.manager = manager;
    this.graph = graph;
    this.next = next;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof RequestMessage request && guard.isQuick()) {
      Optional<Bytecode.Instruction> call = call(request);
      if (call.isPresent()) {
        guard
            .judge(context, request)
            .filter(allowed -> !answer(context, allowed, call.get()))
            .ifPresent(context.pipeline().context(next)::fireChannelRead); // behind the guard
        return;
      }
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    left = MOMENT;
    context.pipeline().context(next).fireChannelReadComplete(); // the guard's threads have no use
  }

  /** The only step of a request that is to be judged here. */
  private static Optional<Bytecode.Instruction> call(RequestMessage request) {
    Map<String, Object> arguments = request.getArgs();
    if (!Tokens.OPS_BYTECODE.equals(request.getOp())
        || !"traversal".equals(request.getProcessor())
        || !ARGUMENTS.containsAll(arguments.keySet())
        || !ALIASES.equals(arguments.get(Tokens.ARGS_ALIASES))
        || !(arguments.get(Tokens.ARGS_GREMLIN) instanceof Bytecode query)
        || !query.getSourceInstructions().isEmpty()
        || query.getStepInstructions().size() != 1) {
      return Optional.empty();
    }
    Bytecode.Instruction step = query.getStepInstructions().get(0);
    return Optional.of(step).filter(BatchGate::isBatch);
  }

  private static boolean isBatch(Bytecode.Instruction step) {
    Object[] arguments = step.getArguments();
    return step.getOperator().equals("call")
        && arguments.length == 2
        && Bg3Services.isBatch(arguments[0])
        && arguments[1] instanceof Map<?, ?> parameters
        && parameters.size() == 1
        && parameters.values().iterator().next() instanceof ByteBuffer;
  }

  /** Whether the call was answered: it only reads, and has done so in time. */
  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
  private boolean answer(
      ChannelHandlerContext context, RequestMessage request, Bytecode.Instruction call) {
    String service = (String) call.getArguments()[0];
    if (left <= 0 || !graph.onlyReads(service) || !context.channel().isWritable()) {
      return false;
    }
    long begin = System.nanoTime();
    Optional<List<?>> results;
    manager.beforeQueryStart(request);
    try {
      results =
          Bg3Services.call(
              graph, service, (Map<?, ?>) call.getArguments()[1], () -> checkTime(begin));
    } catch (RuntimeException e) {
      return false; // told on the other way
    } finally {
      left -= System.nanoTime() - begin;
    }
    if (results.isEmpty()) {
      return false;
    }
    manager.onQuerySuccess(request);
    List<Object> traversers = new ArrayList<>(1);
    results.get().forEach(result -> traversers.add(new DefaultRemoteTraverser<>(result, 1)));
    context.writeAndFlush(
        ResponseMessage.build(request)
            .code(ResponseStatusCode.SUCCESS)
            .statusAttributes(
                Map.of(Tokens.ARGS_HOST, context.channel().remoteAddress().toString()))
            .responseMetaData(Map.of())
            .result(traversers)
            .create());
    return true;
  }

  private void checkTime(long begin) {
    if (System.nanoTime() - begin > left) {
      throw new TraversalInterruptedException();
    }
  }
}
