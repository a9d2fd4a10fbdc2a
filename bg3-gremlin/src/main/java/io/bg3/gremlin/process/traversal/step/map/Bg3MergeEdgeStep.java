package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.AccessHolder;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code mergeE()} that looks up the edges with one label between two vertices, where it is told
 * all three, instead of going through the edges of the source. That there is none is read of these
 * three alone: of two transactions that add the same edge one conflicts, and neither conflicts with
 * who adds other edges to the vertices.
 *
 * @param <S> what comes in
 */
@SuppressWarnings("try") // close() is as the class above has it
public final class Bg3MergeEdgeStep<S> extends MergeEdgeStep<S> implements Profiling, AccessHolder {
  private static final long serialVersionUID = 1L;

  private ReadMetrics read = ReadMetrics.UNPROFILED;
  private MergeSearch searches = new MergeSearch();

  /**
   * A step that does what {@code original} does.
   *
   * @throws IllegalArgumentException if {@code option(onCreate)} overrides what is looked for,
   *     which is not known before variables have their values
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // options are typed by how they were built
  public Bg3MergeEdgeStep(MergeEdgeStep<S> original) {
    super(
        original.getTraversal(),
        original.isStart(),
        (Traversal.Admin) original.getMergeTraversal());
    MergeOptions.copy(original, this);
    MergeOptions.add(this, Merge.outV, original.getOutVTraversal());
    MergeOptions.add(this, Merge.inV, original.getInVTraversal());
    callbackRegistry = original.getCallbackRegistry();
  }

  @Override
  protected CloseableIterator<Edge> searchEdges(@SuppressWarnings("rawtypes") Map search) {
    Object source = search == null ? null : search.get(Direction.OUT);
    Object target = search == null ? null : search.get(Direction.IN);
    GraphTraversal<?, Edge> amongAll = search == null ? null : amongAll(search);
    if (amongAll != null) {
      return searches.elements(amongAll);
    }
    if (source == null
        || target == null
        || search.get(T.id) != null
        || !(search.get(T.label) instanceof String label)) {
      return super.searchEdges(search);
    }
    List<HasContainer> conditions = new ArrayList<>();
    ((Map<?, ?>) search)
        .forEach(
            (key, value) -> {
              if (key instanceof String property) {
                P<?> predicate = value instanceof P<?> given ? given : P.eq(value);
                conditions.add(new HasContainer(property, predicate));
              }
            });
    return ((StepReads) getGraph())
        .edgesBetween(
            source,
            label,
            target,
            edge -> {
              read.add(1);
              return HasContainer.testAll(edge, conditions);
            });
  }

  /** The traversal by which TinkerPop's step searches; null where it knows a vertex or an id. */
  private GraphTraversal<?, Edge> amongAll(Map<?, ?> search) {
    if (search.get(T.id) != null
        || search.get(Direction.OUT) != null
        || search.get(Direction.IN) != null) {
      return null;
    }
    GraphTraversal<?, Edge> edges = getGraph().traversal().E();
    if (search.get(T.label) != null) {
      edges = edges.hasLabel((String) search.get(T.label));
    }
    for (Map.Entry<?, ?> each : search.entrySet()) {
      if (each.getKey() instanceof String property) {
        edges = edges.has(property, each.getValue());
      }
    }
    return edges;
  }

  /**
   * Has {@code profile()} show how many edges are read by look-ups, and of a search without source
   * and target by which index, or that it reads all edges. A search with one of both is a traversal
   * of its own and is not counted.
   */
  @Override
  public void setMetrics(MutableMetrics metrics) {
    read = new ReadMetrics(metrics);
    searches.setMetrics(read);
  }

  @Override
  public String access() {
    return searches.access();
  }

  @Override
  public String toString() {
    String indexes =
        getTraversal().getGraph().isPresent()
            ? MergeSearch.indexes(mergeTraversal, this::amongAll)
            : null;
    return indexes == null
        ? super.toString()
        : StringFactory.stepString(
            this,
            mergeTraversal,
            onCreateTraversal,
            onMatchTraversal,
            getOutVTraversal(),
            getInVTraversal(),
            indexes);
  }

  @Override
  public Bg3MergeEdgeStep<S> clone() {
    Bg3MergeEdgeStep<S> copy = (Bg3MergeEdgeStep<S>) super.clone();
    copy.read = ReadMetrics.UNPROFILED;
    copy.searches = new MergeSearch();
    return copy;
  }
}
