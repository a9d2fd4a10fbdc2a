package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.LinkStoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Calls services of a server. A call is one request; no traversal is compiled on this side.
 *
 * <p>Threads: any.
 */
final class ServiceClient {
  private static final String SOURCE = "g";

  private final Client client;
  private final int batch;

  /** Calls through a client; an answer comes in messages of so many results. */
  ServiceClient(Client client, int batch) {
    this.client = client;
    this.batch = batch;
  }

  /**
   * Calls a service and waits for all that it answers.
   *
   * @throws LinkStoreException if the server refuses or cannot be reached
   */
  List<Object> call(String service, Map<String, Object> parameters) {
    try {
      return start(service, parameters).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LinkStoreException("interrupted: service=" + service, e);
    } catch (ExecutionException e) {
      throw failed(service, e);
    }
  }

  /** Calls a service, and does not wait for what it answers. */
  private CompletableFuture<List<Object>> start(String service, Map<String, Object> parameters) {
    RequestMessage message =
        RequestMessage.from(request(service, parameters))
            .addArg(Tokens.ARGS_BATCH_SIZE, batch)
            .create();
    try {
      return client
          .submitAsync(message)
          .thenCompose(ResultSet::all)
          .thenApply(
              results -> {
                List<Object> answers = new ArrayList<>(results.size());
                results.forEach(result -> add(result.getObject(), answers));
                return answers;
              });
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The request that calls a service. */
  static RequestMessage request(String service, Map<String, Object> parameters) {
    Bytecode bytecode = new Bytecode();
    bytecode.addStep("call", service, parameters);
    return RequestMessage.build(Tokens.OPS_BYTECODE)
        .processor("traversal")
        .addArg(Tokens.ARGS_GREMLIN, bytecode)
        .addArg(Tokens.ARGS_ALIASES, Map.of(SOURCE, SOURCE))
        .create();
  }

  /** That a call has failed, and why. */
  static LinkStoreException failed(String service, Throwable failure) {
    String what =
        failure instanceof IOException
            ? "no answer from the server, which may have done it or not"
            : "the server did not do it";
    return new LinkStoreException(
        what + ": service=" + service + ", reason=" + reason(failure), failure);
  }

  /** Adds what a message brings of an answer. */
  static void addAll(Object data, List<Object> answers) {
    if (data instanceof List<?> results) {
      results.forEach(result -> add(result, answers));
    } else {
      add(data, answers);
    }
  }

  /** Equal results come once, with their number. */
  private static void add(Object answer, List<Object> answers) {
    if (answer instanceof Traverser<?> traverser) {
      for (long i = 0; i < traverser.bulk(); i++) {
        answers.add(traverser.get());
      }
    } else {
      answers.add(answer);
    }
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }
}
