package io.bg3.server.request;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.apache.tinkerpop.gremlin.jsr223.JavaTranslator;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.BytecodeHelper;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.op.OpProcessorException;
import org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.TraverserIterator;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.ThrowingConsumer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Runs the bytecode of requests outside of sessions. It validates, iterates, commits, rolls back
 * and answers as TinkerPop's processor does, from which it inherits most of that. It leaves out
 * what takes time for each request and serves none in this server:
 *
 * <ul>
 *   <li>a translator for each request, which looks a method up by reflection: here a traversal
 *       source has one;
 *   <li>a future within a future, and the timer that cancels them: the scheduler ends a request
 *       that is over its time;
 *   <li>a measurement for a metric that nothing exports.
 * </ul>
 *
 * <p>It leaves out TinkerPop's lines in the log too, which quote the request; the client log has
 * lines of its own about failures.
 *
 * <p>Threads: shared by all connections.
 */
final class BytecodeProcessor extends TraversalOpProcessor {
  /** The translator of a traversal source. Threads may share it. */
  private record Translation(
      TraversalSource source, JavaTranslator<TraversalSource, Traversal.Admin<?, ?>> translator) {
    static Translation of(TraversalSource source) {
      return new Translation(source, JavaTranslator.of(source));
    }
  }

  private volatile Translation last; // of the last request's source; null before the first

  /**
   * Validates a request.
   *
   * @throws OpProcessorException with the answer, if the request is malformed
   */
  @Override
  public ThrowingConsumer<Context> select(Context context) throws OpProcessorException {
    ThrowingConsumer<Context> stock = super.select(context);
    return BytecodeHelper.getLambdaLanguage(bytecode(context)).isPresent() ? stock : this::begin;
  }

  /** Does nothing: the processor holds nothing. */
  @Override
  public void close() {}

  private static Bytecode bytecode(Context context) {
    return (Bytecode) context.getRequestMessage().getArgs().get(Tokens.ARGS_GREMLIN);
  }

  private void begin(Context context) throws OpProcessorException {
    RequestMessage request = context.getRequestMessage();
    Map<?, ?> aliases = (Map<?, ?>) request.getArgs().get(Tokens.ARGS_ALIASES);
    String name = (String) aliases.get(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS);
    TraversalSource source = context.getGraphManager().getTraversalSource(name);
    if (source == null) { // it was dropped after the request was authorized
      context.writeAndFlush(FailureAnswers.dropped(request));
      return;
    }
    Traversal.Admin<?, ?> traversal = translated(request, source, bytecode(context));
    try {
      context
          .getGremlinExecutor()
          .getExecutorService()
          .execute(() -> run(context, source.getGraph(), traversal));
    } catch (RejectedExecutionException e) {
      context.writeAndFlush(FailureAnswers.rejected(request));
    }
  }

  private Traversal.Admin<?, ?> translated(
      RequestMessage request, TraversalSource source, Bytecode bytecode)
      throws OpProcessorException {
    try {
      Translation translation = last;
      if (translation == null || translation.source() != source) {
        translation = Translation.of(source);
        last = translation;
      }
      return translation.translator().translate(bytecode);
    } catch (RuntimeException e) {
      throw new OpProcessorException(
          "Could not deserialize the Traversal instance",
          ResponseMessage.build(request)
              .code(ResponseStatusCode.SERVER_ERROR_SERIALIZATION)
              .statusMessage(e.getMessage())
              .statusAttributeException(e)
              .create());
    }
  }

  /** Runs a traversal in the calling worker, from its strategies to its last answer. */
  private void run(Context context, Graph graph, Traversal.Admin<?, ?> traversal) {
    context.setStartedResponse();
    try {
      beforeProcessing(graph, context);
      try {
        traversal.applyStrategies();
        ReadOnlyQueries.begin(traversal);
        handleIterator(context, new TraverserIterator(traversal), graph);
      } catch (Exception e) {
        CloseableIterator.closeIterator(traversal);
        answer(context, e);
        onError(graph, context, e);
      }
    } catch (Throwable t) { // an error too: the worker goes on, and the client is told
      onError(graph, context, t);
      context.writeAndFlush(failure(context, t));
    }
  }

  private static void answer(Context context, Exception failure) {
    Throwable cause =
        failure instanceof UndeclaredThrowableException ? failure.getCause() : failure;
    boolean isInterrupt =
        cause instanceof InterruptedException || cause instanceof TraversalInterruptedException;
    if (isInterrupt && FailureAnswers.special(failure).isEmpty()) {
      context.getGraphManager().onQueryError(context.getRequestMessage(), cause);
      context.sendTimeoutResponse();
    } else {
      context.writeAndFlush(failure(context, failure));
    }
  }

  private static ResponseMessage failure(Context context, Throwable failure) {
    return FailureAnswers.of(
        context.getRequestMessage(),
        failure,
        ResponseStatusCode.SERVER_ERROR,
        failure.getMessage());
  }
}
