package io.bg3.linkbench.engine;

import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.GraphReader;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.VertexScan;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.record.VertexView;
import io.bg3.linkbench.model.NodeRow;
import java.util.ArrayList;
import java.util.List;

/** Nodes as vertices. */
final class NodeVertices {
  private static final int REMOVED_AT_ONCE = 1_000;
  private static final byte[] NOTHING = {};

  private final GraphStore graph;
  private final GraphReader reader;
  private final DenseVertexIds ids;
  private final int version;
  private final int time;
  private final int data;
  private final PropertyBytes properties = new PropertyBytes();
  private int lastType;
  private String lastLabel;
  private int lastCode; // 0 while it is not known

  NodeVertices(EngineDatabase database, GraphReader reader) {
    this.reader = reader;
    this.graph = database.graph();
    this.ids = database.ids();
    this.version = database.version();
    this.time = graph.makePropertyKey(EngineDatabase.TIME);
    this.data = database.data();
  }

  long[] add(List<NodeRow> rows) {
    long[] added = new long[rows.size()];
    long first = ids.take(added.length);
    for (int i = 0; i < added.length; i++) {
      added[i] = first + i;
    }
    graph.update(
        added,
        transaction -> {
          for (int i = 0; i < added.length; i++) {
            NodeRow row = rows.get(i);
            transaction.vertexWriter().add(added[i], label(row.type()), encoded(row));
          }
          return null;
        });
    return added;
  }

  NodeRow get(int type, long id) {
    VertexView vertex = reader.vertex(id);
    if (vertex == null || !vertex.hasLabel(code(type))) {
      return null;
    }
    byte[] payload = vertex.bytesValue(data);
    return new NodeRow(
        id,
        type,
        vertex.longValue(version, 0),
        vertex.intValue(time, 0),
        payload == null ? NOTHING : payload);
  }

  boolean update(NodeRow row) {
    return graph.update(
        row.id(),
        transaction ->
            transaction.vertexWriter().replace(row.id(), label(row.type()), encoded(row)));
  }

  boolean remove(int type, long id) {
    ids.removing(id);
    return graph.update(
        id,
        transaction -> {
          VertexRecord vertex = transaction.vertex(id);
          if (vertex == null || !vertex.hasLabel(code(type))) {
            return false;
          }
          transaction.removeVertex(id);
          return true;
        });
  }

  /** Removes all nodes and begins again at an id. */
  void reset(long nextId) {
    List<Long> some = some();
    while (!some.isEmpty()) {
      long[] vertices = some.stream().mapToLong(Long::longValue).toArray();
      graph.update(
          vertices,
          transaction -> {
            for (long vertex : vertices) {
              if (transaction.vertexExists(vertex)) {
                transaction.removeVertex(vertex);
              }
            }
            return null;
          });
      some = some();
    }
    ids.reset(nextId);
  }

  private List<Long> some() {
    return EngineSession.reading(
        graph,
        transaction -> {
          List<Long> found = new ArrayList<>();
          try (VertexScan scan = transaction.vertices()) {
            while (found.size() < REMOVED_AT_ONCE && scan.next()) {
              found.add(scan.vertex());
            }
          }
          return found;
        });
  }

  /** The code of a type's label, 0 if there never was a node of it. */
  private int code(int type) {
    String label = label(type);
    if (lastCode == 0) {
      lastCode = graph.findVertexLabel(label);
    }
    return lastCode;
  }

  private PropertyBytes encoded(NodeRow row) {
    return properties
        .clear()
        .putLong(version, row.version())
        .putInt(time, row.time())
        .putBytes(data, row.data());
  }

  /** The label of a type: as a rule all nodes are of one. */
  private String label(int type) {
    if (lastLabel == null || type != lastType) {
      lastType = type;
      lastLabel = Integer.toString(type);
      lastCode = 0;
    }
    return lastLabel;
  }
}
