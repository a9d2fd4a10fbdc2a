package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Services;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * The short way for a request that is nothing but one call of {@code bg3.batch} or {@code
 * bg3.batch.read}: it is judged where it arrives, by the same rules, and one that reads is answered
 * there as well, without a traversal; one that writes goes to {@link BatchQueries}. Handing it from
 * thread to thread would take longer than that.
 *
 * <p>What takes more than a moment goes the way of all requests, from the beginning, since it only
 * reads; and so does what fails, so that an error looks as it does there. So a connection has the
 * thread that it shares with others for that moment, each time that it is read from.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
final class BatchGate extends ChannelInboundHandlerAdapter {
  private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int MOST_BYTES = 1 << 14; // to be gone through in a moment
  private static final Map<String, String> ALIASES = Map.of("g", "g");
  private static final Set<String> ARGUMENTS =
      Set.of(Tokens.ARGS_GREMLIN, Tokens.ARGS_ALIASES, Tokens.ARGS_BATCH_SIZE);

  private final AuthorizationGate guard;
  private final GraphManager manager;
  private final Bg3Graph graph;
  private final BatchQueries queries;
  private final String next;
  private long left = MOMENT; // until the connection has been read from again

  /**
   * @param guard that stands further on
   * @param manager is told of queries
   * @param queries run what is not answered here
   * @param next the guard's name in the pipeline
   */
  BatchGate(
      AuthorizationGate guard,
      GraphManager manager,
      Bg3Graph graph,
      BatchQueries queries,
      String next) {
    this.guard = guard;
    this.manager = manager;
    this.graph = graph;
    this.queries = queries;
    this.next = next;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof RequestMessage request && guard.isQuick()) {
      Optional<Bytecode.Instruction> call = call(request).filter(this::isOffered);
      if (call.isPresent()) {
        guard.judge(context, request).ifPresent(allowed -> perform(context, allowed, call.get()));
        return;
      }
    }
    context.fireChannelRead(message);
  }

  /** Whether the service is BG3's and not an application's of the same name. */
  private boolean isOffered(Bytecode.Instruction call) {
    return Bg3Services.isOffered(graph, (String) call.getArguments()[0]);
  }

  private void perform(
      ChannelHandlerContext context, RequestMessage request, Bytecode.Instruction call) {
    if (!graph.onlyReads((String) call.getArguments()[0])) {
      queries.submit(context, request, call);
    } else if (!answer(context, request, call)) {
      context.pipeline().context(next).fireChannelRead(request); // behind the guard
    }
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
        && operations(parameters) != null;
  }

  private static ByteBuffer operations(Map<?, ?> parameters) {
    return parameters.get(Bg3Services.OPERATIONS) instanceof ByteBuffer bytes ? bytes : null;
  }

  /** Whether the call was answered: it only reads, and has done so in time. */
  private boolean answer(
      ChannelHandlerContext context, RequestMessage request, Bytecode.Instruction call) {
    Map<?, ?> parameters = (Map<?, ?>) call.getArguments()[1];
    if (left <= 0
        || !context.channel().isWritable()
        || operations(parameters).remaining() > MOST_BYTES) {
      return false;
    }
    long begin = System.nanoTime();
    try {
      manager.beforeQueryStart(request);
      ResponseMessage results =
          BatchQueries.results(graph, request, context.channel(), call, () -> checkTime(begin));
      manager.onQuerySuccess(request);
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
