package io.bg3.transfer.remote;

import io.bg3.transfer.TransferException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The queries that run or wait on a server. Belongs to one thread. */
public final class RemoteQueries {
  private final RemoteGraph graph;

  /** The queries of a server; the caller closes {@code graph}. */
  public RemoteQueries(RemoteGraph graph) {
    this.graph = graph;
  }

  /**
   * The queries that the user may see, a map of their properties each.
   *
   * @throws TransferException if the server does not answer
   */
  public List<Map<?, ?>> list() throws TransferException {
    return asked(() -> graph.g().<Map<?, ?>>call("bg3.queries").toList());
  }

  /**
   * Ends a query.
   *
   * @return false if the user may see no query of this id, or it cannot be ended any more
   * @throws TransferException if the server does not answer, or refuses the call to the user
   */
  public boolean kill(long id) throws TransferException {
    return asked(() -> graph.g().<Boolean>call("bg3.queries.kill", Map.of("id", id)).next());
  }

  private <T> T asked(Supplier<T> query) throws TransferException {
    try {
      return query.get();
    } catch (RuntimeException e) {
      throw new TransferException(
          "the server did not answer: address=" + graph + ", reason=" + RemoteGraph.reason(e),
          RemoteGraph.root(e));
    }
  }
}
