package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.gremlin.process.computer.GraphSnapshot;
import java.util.BitSet;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** One read-only transaction for the threads of a computation. */
final class Bg3Snapshot implements GraphSnapshot {
  private final Bg3Graph graph; // is that transaction

  Bg3Snapshot(Bg3Graph graph) {
    this.graph = graph;
  }

  private GraphTransaction in() {
    return graph.transaction().graph();
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public Vertex vertex(long internal) {
    return graph.vertex(in(), internal);
  }

  @Override
  public Long internal(Vertex vertex) {
    return vertex instanceof Bg3Vertex own && own.graph() == graph ? own.vertex() : null;
  }

  @Override
  public Long find(Object id) {
    return in().internalVertex(id);
  }

  @Override
  public boolean mayHave(String key) {
    return in().findKey(key) != 0;
  }

  @Override
  public long vertexCount() {
    return in().vertexCount();
  }

  @Override
  public long edgeCount() {
    return in().edgeCount();
  }

  @Override
  public void edges(EdgeSink each, String... labels) {
    Labels wanted = labels.length == 0 ? null : new Labels(Set.of(labels));
    try (EdgeScan scan = in().edges(false)) {
      while (scan.next(Interrupts::check)) {
        if (wanted == null || wanted.has(scan.label())) {
          boolean isOut = scan.isOut();
          each.edge(isOut ? scan.owner() : scan.other(), isOut ? scan.other() : scan.owner());
        }
      }
    }
  }

  @Override
  public void close() {
    if (graph.tx().isOpen()) {
      graph.tx().rollback();
    }
  }

  /** Which codes stand for some labels; a code is looked up once. */
  private final class Labels {
    private final Set<String> texts;
    private final BitSet known = new BitSet();
    private final BitSet wanted = new BitSet();

    Labels(Set<String> texts) {
      this.texts = texts;
    }

    boolean has(int code) {
      if (!known.get(code)) {
        known.set(code);
        wanted.set(code, texts.contains(graph.store().graph().edgeLabel(code)));
      }
      return wanted.get(code);
    }
  }
}
