package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.AccessHolder;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code mergeV()} that says by which index it looks for its vertices: in {@code explain()}, where
 * the map is a constant, and in {@code profile()}.
 *
 * @param <S> what comes in
 */
@SuppressWarnings("try") // close() is as the class above has it
public final class Bg3MergeVertexStep<S> extends MergeVertexStep<S>
    implements Profiling, AccessHolder {
  private static final long serialVersionUID = 1L;

  private MergeSearch searches = new MergeSearch();

  /**
   * A step that does what {@code original} does.
   *
   * @throws IllegalArgumentException if {@code option(onCreate)} overrides what is looked for,
   *     which is not known before variables have their values
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // options are typed by how they were built
  public Bg3MergeVertexStep(MergeVertexStep<S> original) {
    super(
        original.getTraversal(),
        original.isStart(),
        (Traversal.Admin) original.getMergeTraversal());
    MergeOptions.copy(original, this);
    callbackRegistry = original.getCallbackRegistry();
  }

  @Override
  @SuppressWarnings("unchecked") // a search gives vertices
  protected CloseableIterator<Vertex> searchVertices(@SuppressWarnings("rawtypes") Map search) {
    return search == null
        ? CloseableIterator.empty()
        : searches.elements((GraphTraversal<?, Vertex>) search(search));
  }

  /** The traversal by which TinkerPop's step searches. */
  private GraphTraversal<?, ?> search(Map<?, ?> search) {
    GraphTraversal<?, ?> byId = searchVerticesTraversal(getGraph(), search.get(T.id));
    GraphTraversal<?, ?> byLabel =
        searchVerticesLabelConstraint(byId, (String) search.get(T.label));
    return searchVerticesPropertyConstraints(byLabel, search);
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    searches.setMetrics(new ReadMetrics(metrics));
  }

  @Override
  public String access() {
    return searches.access();
  }

  @Override
  public String toString() {
    String indexes =
        getTraversal().getGraph().isPresent()
            ? MergeSearch.indexes(mergeTraversal, this::search)
            : null;
    return indexes == null
        ? super.toString()
        : StringFactory.stepString(
            this, mergeTraversal, onCreateTraversal, onMatchTraversal, indexes);
  }

  @Override
  public Bg3MergeVertexStep<S> clone() {
    Bg3MergeVertexStep<S> copy = (Bg3MergeVertexStep<S>) super.clone();
    copy.searches = new MergeSearch();
    return copy;
  }
}
