package io.bg3.gremlin.services;

import io.bg3.batch.BatchRequest;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.GraphStore;
import io.bg3.gremlin.batch.Batch;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.List;
import java.util.function.Function;

/**
 * The services {@code bg3.batch} and {@code bg3.batch.read}: operations of {@code bg3.links} and
 * {@code bg3.nodes} in the form of {@link Batch}.
 */
final class BatchServices {
  private static final String OPERATIONS = BatchRequest.PARAMETER;

  private BatchServices() {}

  static List<Bg3Service> of(Bg3Graph graph, Function<GraphStore, DenseVertexIds> ids) {
    return List.of(
        Bg3Service.writing(
            graph,
            BatchRequest.SERVICE,
            LinkServices.described(OPERATIONS, "operations in their binary form"),
            (in, parameters) ->
                run(in, Batch.read(parameters.bytes(OPERATIONS)), ids, parameters.between())),
        Bg3Service.reading(
            graph,
            BatchRequest.READ_SERVICE,
            LinkServices.described(OPERATIONS, "operations that only read, in their binary form"),
            (in, parameters) -> run(in, reading(parameters), ids, parameters.between())));
  }

  private static Batch reading(ServiceParameters parameters) {
    Batch batch = Batch.read(parameters.bytes(OPERATIONS));
    if (batch.writes()) {
      throw new IllegalArgumentException(
          "an operation writes, and this service only reads: service=" + BatchRequest.READ_SERVICE);
    }
    return batch;
  }

  private static List<?> run(
      Bg3Graph graph, Batch batch, Function<GraphStore, DenseVertexIds> ids, Runnable between) {
    return List.of(
        batch.run(
            graph.graphStore(),
            ids,
            question ->
                graph.read(
                    transaction -> {
                      question.accept(transaction);
                      return null;
                    }),
            between));
  }
}
