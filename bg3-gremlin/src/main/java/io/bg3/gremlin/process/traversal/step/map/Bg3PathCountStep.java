package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.PathLookup;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * Several hops in front of {@code count()}: takes groups of traversers ({@link TraverserGroup}),
 * and gives one traverser for each group, whose bulk is the number of paths from all of them. In
 * front of {@code dedup().count()} it also stands for {@code dedup()}, and the bulk is the number
 * of vertices at the ends of the paths that it has not counted before, until it is reset.
 *
 * @param <E> Vertex or Edge
 */
public final class Bg3PathCountStep<E extends Element> extends VertexStep<E> {
  private static final long serialVersionUID = 1L;

  private final List<Hop> hops;
  private final Bg3VertexStep.Results results;
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient PathLookup paths;

  /**
   * Counts the paths of some hops, the last of which is that of another step.
   *
   * @param first the hops in front of it, at least one
   * @param last a step that counts
   */
  public Bg3PathCountStep(List<Hop> first, Bg3VertexStep<E> last) {
    super(last.getTraversal(), last.getReturnClass(), last.getDirection(), labels(first, last));
    assert !first.isEmpty() && last.results().counts() : last;
    List<Hop> all = new ArrayList<>(first);
    all.add(new Hop(last.getDirection(), last.getEdgeLabels()));
    this.hops = List.copyOf(all);
    this.results = last.results();
  }

  /**
   * The labels of all hops; none if one has none. So a strategy that verifies that every hop names
   * its labels finds the one that does not.
   */
  private static String[] labels(List<Hop> first, Bg3VertexStep<?> last) {
    List<String> all = new ArrayList<>(Arrays.asList(last.getEdgeLabels()));
    boolean eachHasSome = !all.isEmpty();
    for (Hop hop : first) {
      eachHasSome &= !hop.shownLabels().isEmpty();
      all.addAll(hop.shownLabels());
    }
    return eachHasSome ? all.toArray(String[]::new) : new String[0];
  }

  @Override
  @SuppressWarnings("unchecked") // what the result holds does not matter: it is counted
  protected Traverser.Admin<E> processNextStart() {
    while (true) {
      long count = countNext();
      if (count != 0) {
        Traverser.Admin<Vertex> first = heads.get(0);
        Traverser.Admin<E> result = first.split((E) first.get(), this);
        result.setBulk(count);
        return result;
      }
    }
  }

  /** Takes the next traversers, at least one; throws NoSuchElementException if there is none. */
  private long countNext() {
    try {
      heads.take(starts, true);
      if (paths == null) {
        StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
        paths = graph.paths(hops, returnsEdge(), results == Bg3VertexStep.Results.COUNT_DIFFERENT);
      }
      for (int i = 0; i < heads.size(); i++) {
        paths.add(heads.get(i).get(), heads.get(i).bulk());
      }
      return paths.count();
    } catch (NoSuchElementException e) {
      heads.clear();
      throw e;
    } catch (RuntimeException e) {
      forget(); // what is half counted
      throw e;
    }
  }

  @Override
  public void reset() {
    super.reset();
    forget();
  }

  @Override
  public void close() {
    forget();
  }

  private void forget() {
    heads = new TraverserGroup<>();
    paths = null;
  }

  @Override
  public String toString() {
    List<Object> shown = new ArrayList<>();
    for (Hop hop : hops) {
      shown.add(hop.direction());
      shown.add(hop.shownLabels());
    }
    shown.add(returnsEdge() ? "edge" : "vertex");
    shown.add(results.shown());
    return StringFactory.stepString(this, shown.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), hops, results);
  }

  @Override
  @SuppressWarnings("unchecked") // a clone is of its original's class
  public Bg3PathCountStep<E> clone() {
    Bg3PathCountStep<E> copy = (Bg3PathCountStep<E>) super.clone();
    copy.forget();
    return copy;
  }
}
