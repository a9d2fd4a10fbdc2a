package io.bg3.transfer.remote;

import io.bg3.core.graph.Cardinality;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.BadRowException;
import io.bg3.transfer.BadRowListener;
import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GeneratedIds;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.VertexData;
import io.netty.handler.codec.EncoderException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceVertex;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Loads rows into the graph of a server. A batch is one query and so one transaction; several
 * batches are under way at once. If the server refuses a batch, the target sends its rows one by
 * one to find the bad ones.
 */
public final class RemoteTarget implements GraphTarget {
  /**
   * The maximum weight of a query. A step has weight 1, because the time to compile a query grows
   * with the square of its steps. {@link #LENGTH} characters also have weight 1, because servers
   * limit the size of messages.
   */
  private static final int MOST = 250;

  private static final int LENGTH = 500;

  private static final int UNDER_WAY = 4;
  private static final int TRIES = 5;

  private record Row(VertexData vertex, EdgeData edge, FilePosition place) {}

  private record Sent(List<Row> rows, CompletableFuture<?> answer) {}

  private final RemoteGraph graph;
  private final GraphTraversalSource g;
  private final boolean keepsPropertyIds;
  private final BadRowListener badRows;
  private final Queue<Sent> underWay = new ArrayDeque<>();
  private List<Row> batch = new ArrayList<>();
  private int weight;
  private long vertices;
  private long edges;
  private long propertyIds;

  /**
   * Creates a target for a graph. The caller closes {@code graph}.
   *
   * @param keepsPropertyIds whether properties keep the ids of the file
   */
  public RemoteTarget(RemoteGraph graph, boolean keepsPropertyIds, BadRowListener badRows) {
    this.graph = graph;
    this.g = graph.g();
    this.keepsPropertyIds = keepsPropertyIds;
    this.badRows = badRows;
  }

  @Override
  public void add(VertexData vertex, FilePosition place) throws IOException {
    if (vertex.labels().size() > 1) {
      badRows.report(
          new BadRow(
              place,
              "Gremlin adds a vertex with one label, load into the store with --data for more:"
                  + " labels="
                  + vertex.labels()));
      return;
    }
    int itsWeight = 2;
    for (PropertyData property : vertex.properties()) {
      itsWeight += 1 + weight(property.value()) + weight(property.metas());
    }
    add(new Row(vertex, null, place), itsWeight);
  }

  @Override
  public void add(EdgeData edge, FilePosition place) throws IOException {
    int itsWeight = 4 + edge.properties().size() + weight(edge.properties());
    add(new Row(null, edge, place), itsWeight);
  }

  private static int weight(Object value) {
    if (value instanceof CharSequence text) {
      return text.length() / LENGTH;
    } else if (value instanceof byte[] bytes) {
      return bytes.length / LENGTH;
    } else if (value instanceof Map<?, ?> map) {
      return weight(map.keySet()) + weight(map.values());
    } else if (value instanceof Collection<?> collection) {
      int sum = collection.size() / LENGTH;
      for (Object element : collection) {
        sum += weight(element);
      }
      return sum;
    }
    return 0;
  }

  private void add(Row row, int itsWeight) throws IOException {
    if (!batch.isEmpty() && weight + itsWeight > MOST) {
      send();
    }
    batch.add(row);
    weight += itsWeight;
  }

  private void send() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    if (underWay.size() == UNDER_WAY) {
      await(underWay.remove());
    }
    underWay.add(new Sent(batch, query(batch).promise(Traversal::iterate)));
    batch = new ArrayList<>();
    weight = 0;
  }

  @Override
  public void commit() throws IOException {
    send();
    while (!underWay.isEmpty()) {
      await(underWay.remove());
    }
  }

  private void await(Sent sent) throws IOException {
    Throwable failure = failure(sent.answer);
    if (failure == null) {
      sent.rows.forEach(this::count);
    } else if (sent.rows.size() == 1 && !isTemporary(failure)) {
      refused(sent.rows.get(0), failure);
    } else {
      for (Row row : sent.rows) {
        single(row);
      }
    }
  }

  private void single(Row row) throws IOException {
    for (int i = 1; ; i++) {
      Throwable failure = failure(query(List.of(row)).promise(Traversal::iterate));
      if (failure == null) {
        count(row);
        return;
      }
      if (i == TRIES || !isTemporary(failure)) {
        refused(row, failure);
        return;
      }
    }
  }

  private void refused(Row row, Throwable failure) throws IOException {
    try {
      badRows.report(new BadRow(row.place, RemoteGraph.reason(failure)));
    } catch (BadRowException e) {
      batch.clear(); // the other batches come after it
      weight = 0;
      throw e;
    }
  }

  /**
   * Returns the reason why a query failed, null if it succeeded; throws if its outcome is unknown.
   */
  private Throwable failure(CompletableFuture<?> answer) throws TransferException {
    try {
      answer.join();
      return null;
    } catch (RuntimeException e) {
      if (RemoteGraph.answer(e) != null || isOurs(e)) {
        return e;
      }
      throw new TransferException(
          "the server does not answer: address="
              + graph
              + ", reason="
              + RemoteGraph.reason(e)
              + "\nThe rows of unanswered batches may be committed or not.",
          RemoteGraph.root(e));
    }
  }

  /** Whether the driver could not send the query, because a value cannot be serialized. */
  private static boolean isOurs(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SerializationException || cause instanceof EncoderException) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTemporary(Throwable failure) {
    ResponseException answer = RemoteGraph.answer(failure);
    return answer != null
        && answer.getResponseStatusCode() == ResponseStatusCode.SERVER_ERROR_TEMPORARY;
  }

  private void count(Row row) {
    if (row.edge != null) {
      edges++;
      return;
    }
    vertices++;
    for (PropertyData property : row.vertex.properties()) {
      if (hasId(property) && !keepsPropertyIds) {
        propertyIds++;
      }
    }
  }

  private static boolean hasId(PropertyData property) {
    return property.id() != null && !GeneratedIds.isOfProperty(property.id());
  }

  private GraphTraversal<?, ?> query(List<Row> rows) {
    GraphTraversal<?, ?> query = null;
    for (Row row : rows) {
      query = row.edge == null ? vertex(query, row.vertex) : edge(query, row.edge);
    }
    return query;
  }

  private GraphTraversal<?, ?> vertex(GraphTraversal<?, ?> before, VertexData vertex) {
    GraphTraversal<?, ?> query =
        before == null ? g.addV(vertex.label()) : before.addV(vertex.label());
    if (vertex.id() != null) {
      query = query.property(T.id, vertex.id());
    }
    for (PropertyData property : vertex.properties()) {
      List<Object> metas = new ArrayList<>();
      if (hasId(property) && keepsPropertyIds) {
        metas.add(T.id);
        metas.add(property.id());
      }
      property
          .metas()
          .forEach(
              (key, value) -> {
                metas.add(key);
                metas.add(value);
              });
      query =
          query.property(
              cardinality(property.cardinality()),
              property.key(),
              property.value(),
              metas.toArray());
    }
    return query;
  }

  private static VertexProperty.Cardinality cardinality(Cardinality cardinality) {
    return switch (cardinality) {
      case SINGLE -> VertexProperty.Cardinality.single;
      case LIST -> VertexProperty.Cardinality.list;
      case SET -> VertexProperty.Cardinality.set;
    };
  }

  private GraphTraversal<?, ?> edge(GraphTraversal<?, ?> before, EdgeData edge) {
    GraphTraversal<?, ?> query =
        (before == null ? g.addE(edge.label()) : before.addE(edge.label()))
            .from(new ReferenceVertex(edge.from()))
            .to(new ReferenceVertex(edge.to()));
    if (edge.id() != null && !GeneratedIds.isOfEdge(edge.id())) {
      query = query.property(T.id, edge.id());
    }
    for (Map.Entry<String, Object> property : edge.properties().entrySet()) {
      query = query.property(property.getKey(), property.getValue());
    }
    return query;
  }

  @Override
  public long vertices() {
    return vertices;
  }

  @Override
  public long edges() {
    return edges;
  }

  /** Unknown, because the server does not return the ids that it generates. */
  @Override
  public long renamed() {
    return 0;
  }

  @Override
  public long propertyIds() {
    return propertyIds;
  }

  @Override
  public void close() {
    batch.clear();
    underWay.clear();
  }
}
