package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.VertexRecord;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Looks up vertices by ids, in the transaction of the calling thread. */
final class VerticesById {
  /** Records that are read in one call. */
  private static final int TOGETHER = 64;

  /**
   * The most ids whose records are read before the first vertex is given. Of a longer list each
   * vertex reads its record when it is asked for something, so that not all are in memory at once.
   */
  static final int MOST_READ = 4096;

  private final Bg3Graph graph;
  private final GraphTransaction in;

  VerticesById(Bg3Graph graph) {
    this.graph = graph;
    this.in = graph.transaction().graph();
  }

  /** The vertices that exist, in the order of their ids, which may also be vertices or null. */
  Iterator<Vertex> find(Object... ids) {
    List<Vertex> found = new ArrayList<>(ids.length);
    for (int i = 0; i < ids.length; i++) {
      in.prefetchNext(i, ids.length, each -> internalOrZero(ids[each]));
      Long vertex = found(in, ids[i]);
      if (vertex != null) {
        found.add(graph.vertex(in, vertex));
      }
    }
    return found.iterator();
  }

  /**
   * The same vertices with their records, which count as read. A record also says that its vertex
   * exists, so each vertex takes one look-up instead of two, and those of many proceed in step.
   */
  Iterator<Vertex> read(Object... ids) {
    if (ids.length > MOST_READ) {
      return find(ids);
    }
    List<Vertex> found = new ArrayList<>(ids.length);
    long[] group = new long[Math.min(TOGETHER, ids.length)];
    int size = 0;
    for (Object id : ids) {
      Long vertex = id == null ? null : in.internalVertex(stated(id));
      if (vertex != null) {
        group[size++] = vertex;
      }
      if (size == TOGETHER) {
        read(group, size, found);
        size = 0;
      }
    }
    read(group, size, found);
    return found.iterator();
  }

  private void read(long[] group, int size, List<Vertex> into) {
    Interrupts.check();
    VertexRecord[] records = new VertexRecord[size];
    if (size == 1) {
      records[0] = in.vertex(group[0]);
    } else if (size > 1) {
      in.prefetchVertices(size, i -> group[i]);
      in.vertices(size, i -> group[i], records);
    }
    for (int i = 0; i < size; i++) {
      if (records[i] != null) {
        into.add(graph.vertex(in, group[i]).with(in, records[i]));
      }
    }
  }

  /** The internal id of the vertex that an id or a vertex names, null if it does not exist. */
  static Long found(GraphTransaction in, Object id) {
    return id == null ? null : in.findVertex(stated(id));
  }

  /**
   * The internal id of the vertex that an id or a vertex names; null if there is surely no such
   * vertex.
   *
   * @param exists whether it is null too if the vertex does not exist, which takes a look-up
   */
  static Long end(GraphTransaction in, Object id, boolean exists) {
    return exists ? found(in, id) : in.internalVertex(stated(id));
  }

  /**
   * Adds a vertex of any graph to those that a graph has seen; false if it was seen before.
   * Vertices with equal ids are equal, so one of another graph may be one of this graph too.
   */
  static boolean addTo(SeenVertices seen, Bg3Graph graph, Vertex vertex) {
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      return seen.add(own.vertex());
    }
    GraphTransaction in = graph.transaction().graph();
    Object id = vertex.id();
    Long own = in.findVertex(id);
    boolean isOwn = own != null && graph.vertex(in, own).id().equals(id);
    return isOwn ? seen.add(own) : seen.addOther(id);
  }

  private static Object stated(Object id) {
    return id instanceof Vertex vertex ? vertex.id() : id;
  }

  /** The internal id that an id or a vertex states itself; 0, which is no vertex, if none. */
  private static long internalOrZero(Object id) {
    return stated(id) instanceof Long internal ? internal : 0;
  }
}
