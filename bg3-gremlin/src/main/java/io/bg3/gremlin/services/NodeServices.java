package io.bg3.gremlin.services;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexScan;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.gremlin.batch.BatchLabels;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The services {@code bg3.nodes.*}: vertices with one label, consecutive ids and properties of
 * single cardinality.
 *
 * <p>Threads: any; the ids are taken up when the first node is added or removed.
 */
final class NodeServices {
  /** The variables of the graph in which the ids are kept begin so. */
  static final String IDS = "linkbench.nodes";

  private static final String LABEL = "label";
  private static final String ID = "id";
  private static final String PROPERTIES = "properties";
  private static final String NODES = "nodes";
  private static final int MOST_AT_ONCE = 10_000;
  private static final int REMOVED_AT_ONCE = 1_000;

  private DenseVertexIds ids; // guarded by this

  private NodeServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    NodeServices nodes = new NodeServices();
    List<Bg3Service> services = new ArrayList<>(BatchServices.of(graph, nodes::ids));
    services.addAll(nodes.services(graph));
    return services;
  }

  private List<Bg3Service> services(Bg3Graph graph) {
    String label = "the vertex's label";
    return List.of(
        Bg3Service.writing(
            graph,
            "bg3.nodes.add",
            LinkServices.described(NODES, "lists of label and properties"),
            this::add,
            this::settle),
        Bg3Service.reading(
            graph,
            "bg3.nodes.get",
            LinkServices.described(LABEL, label, ID, "its id, a number"),
            NodeServices::get),
        Bg3Service.writing(
            graph,
            "bg3.nodes.update",
            LinkServices.described(
                LABEL, label, ID, "its id, a number", PROPERTIES, "those to set"),
            NodeServices::update),
        Bg3Service.writing(
            graph,
            "bg3.nodes.delete",
            LinkServices.described(LABEL, label, ID, "its id, a number"),
            this::delete),
        Bg3Service.writing(
            graph,
            "bg3.nodes.reset",
            LinkServices.described(
                "next",
                "id of the next node, once there are none",
                "limit",
                "how many vertices are removed at most; " + MOST_AT_ONCE + " if absent"),
            this::reset));
  }

  private synchronized DenseVertexIds ids(GraphStore store) {
    if (ids == null) {
      ids = new DenseVertexIds(store, IDS);
    }
    return ids;
  }

  private synchronized void settle() {
    try {
      if (ids != null) {
        ids.settle();
      }
    } catch (RuntimeException e) {
      ids = null; // as after a crash: the next opening of the store looks for the last node
    }
  }

  private List<?> add(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    List<?> nodes = parameters.list(NODES, MOST_AT_ONCE);
    List<String> labels = new ArrayList<>(nodes.size());
    List<Map<?, ?>> properties = new ArrayList<>(nodes.size());
    for (Object each : nodes) {
      List<?> row = parameters.row(NODES, each, 2);
      labels.add(parameters.text(NODES, row.get(0)));
      properties.add(parameters.properties(NODES, row.get(1)));
    }
    if (nodes.isEmpty()) {
      return List.of();
    }
    long first = ids(store).take(nodes.size());
    long[] added = LongStream.range(first, first + nodes.size()).toArray();
    store.update(
        added,
        transaction -> {
          for (int i = 0; i < added.length; i++) {
            transaction.addVertex(added[i], labels.get(i));
            set(transaction, added[i], properties.get(i));
          }
          return null;
        });
    return LongStream.of(added).boxed().toList();
  }

  private static List<?> get(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    String label = parameters.text(LABEL);
    long id = parameters.vertex(ID);
    return graph.read(
        transaction -> {
          VertexRecord vertex = BatchLabels.vertex(store, transaction, label, id);
          if (vertex == null) {
            return List.of();
          }
          Map<String, Object> properties = new LinkedHashMap<>();
          for (PropertyRecord property : vertex.properties()) {
            properties.put(
                store.propertyKey(property.key()),
                ServiceParameters.shown(transaction.value(id, property)));
          }
          return List.of(properties);
        });
  }

  private static List<?> update(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    String label = parameters.text(LABEL);
    long id = parameters.vertex(ID);
    Map<?, ?> properties = parameters.properties(PROPERTIES);
    boolean done =
        store.update(
            id,
            transaction -> {
              boolean there = BatchLabels.vertex(store, transaction, label, id) != null;
              if (there) {
                set(transaction, id, properties);
              }
              return there;
            });
    return List.of(done);
  }

  private List<?> delete(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    String label = parameters.text(LABEL);
    long id = parameters.vertex(ID);
    ids(store).removing(id);
    boolean done =
        store.update(
            id,
            transaction -> {
              boolean there = BatchLabels.vertex(store, transaction, label, id) != null;
              if (there) {
                transaction.removeVertex(id, Bg3Services::checkInterrupt);
              }
              return there;
            });
    return List.of(done);
  }

  /** Removes some vertices, and begins again with the ids when there are none. */
  private List<?> reset(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    long next = parameters.vertex("next");
    int limit = parameters.count("limit", MOST_AT_ONCE, Integer.MAX_VALUE);
    long removed = 0;
    while (removed < limit) {
      Bg3Services.checkInterrupt();
      long[] some = some(store, (int) Math.min(REMOVED_AT_ONCE, limit - removed));
      if (some.length == 0) {
        ids(store).reset(next);
        break;
      }
      store.retry(
          transaction -> {
            for (long vertex : some) {
              if (transaction.vertexExists(vertex)) {
                transaction.removeVertex(vertex, Bg3Services::checkInterrupt);
              }
            }
            return null;
          });
      removed += some.length;
    }
    return List.of(removed);
  }

  private static long[] some(GraphStore store, int count) {
    List<Long> found = new ArrayList<>(count);
    try (GraphTransaction transaction = store.beginReadOnly();
        VertexScan scan = transaction.vertices()) {
      while (found.size() < count && scan.next()) {
        found.add(scan.vertex());
      }
    }
    return found.stream().mapToLong(Long::longValue).toArray();
  }

  private static void set(GraphTransaction transaction, long id, Map<?, ?> properties) {
    properties.forEach(
        (key, value) ->
            transaction.setProperty(
                id, Cardinality.SINGLE, (String) key, ServiceParameters.stored(value), null));
  }
}
