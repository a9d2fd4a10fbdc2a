package io.bg3.server.request;

import java.io.InterruptedIOException;
import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;
import javax.script.Bindings;
import javax.script.SimpleBindings;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.OpProcessorException;
import org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.ThrowingConsumer;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Runs the texts of requests outside of sessions. It validates, binds variables, iterates, commits,
 * rolls back and answers as TinkerPop's processor and executor of scripts do, and inherits most of
 * that. It leaves out what takes time for each request and serves none in this server:
 *
 * <ul>
 *   <li>three futures, and the timer that cancels them, which keeps the text of a request that sets
 *       its own time until that is over: the scheduler ends a request that is over its time;
 *   <li>the search for an engine: there is one;
 *   <li>a measurement for a metric that nothing exports.
 * </ul>
 *
 * <p>It leaves out TinkerPop's lines in the log too, which quote the request; the client log has
 * lines of its own about failures.
 *
 * <p>Threads: shared by all connections.
 */
final class TextProcessor extends StandardOpProcessor {
  private final GremlinScriptEngine engine;
  private final Bindings globals;

  /**
   * @param engine evaluates every text
   * @param globals the variables that every text may use; not changed
   */
  TextProcessor(Settings settings, GremlinScriptEngine engine, Bindings globals) {
    this.engine = engine;
    this.globals = globals;
    init(settings);
  }

  @Override
  public ThrowingConsumer<Context> getEvalOp() {
    return this::begin;
  }

  /** Does nothing: the processor holds nothing. */
  @Override
  public void close() {}

  private void begin(Context context) {
    try {
      context.getGremlinExecutor().getExecutorService().execute(() -> run(context));
    } catch (RejectedExecutionException e) {
      context.writeAndFlush(FailureAnswers.rejected(context.getRequestMessage()));
    }
  }

  /** Runs a text in the calling worker, from its evaluation to its last answer. */
  private void run(Context context) {
    RequestMessage request = context.getRequestMessage();
    try {
      context.getGraphManager().beforeQueryStart(request);
      Bindings bindings = new SimpleBindings();
      bindings.putAll(globals);
      bindings.putAll(bindingMaker.apply(context).get());
      String text = (String) request.getArgs().get(Tokens.ARGS_GREMLIN);
      iterate(context, IteratorUtils.asIterator(engine.eval(text, bindings)));
    } catch (Throwable t) { // an error too: the worker goes on, and the client is told
      fail(context, t.getCause() == null ? t : ExceptionUtils.getRootCause(t));
    }
  }

  private void iterate(Context context, Iterator<?> results) throws Exception {
    try {
      if (results instanceof Traversal<?, ?> query) {
        begin(query.asAdmin());
      }
      handleIterator(context, results);
      context.getGraphManager().onQuerySuccess(context.getRequestMessage());
    } catch (Exception e) {
      rollBack(context);
      CloseableIterator.closeIterator(results);
      throw e;
    }
  }

  private static void begin(Traversal.Admin<?, ?> query) {
    if (!query.isLocked()) { // as the first look for a result does
      query.applyStrategies();
    }
    ReadOnlyQueries.begin(query);
  }

  private static void rollBack(Context context) {
    attemptRollback(
        context.getRequestMessage(),
        context.getGraphManager(),
        context.getSettings().strictTransactionManagement);
  }

  private static void fail(Context context, Throwable failure) {
    RequestMessage request = context.getRequestMessage();
    GraphManager manager = context.getGraphManager();
    manager.onQueryError(request, failure);
    if (failure instanceof InterruptedException
        || failure instanceof TraversalInterruptedException
        || failure instanceof InterruptedIOException) {
      context.sendTimeoutResponse();
      return;
    }
    try {
      rollBack(context);
    } catch (RuntimeException e) { // as for a graph that is not there; the client gets its answer
      failure.addSuppressed(e);
    }
    if (failure instanceof OpProcessorException refused) {
      context.writeAndFlush(refused.getResponseMessage());
      return;
    }
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    context.writeAndFlush(
        FailureAnswers.of(request, failure, ResponseStatusCode.SERVER_ERROR_EVALUATION, message));
  }
}
