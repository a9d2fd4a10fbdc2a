package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.PathLookup;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
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
 * <p>It also stands for a loop of hops with {@code emit()} and {@code times(n)}: then the paths of
 * the first hops, up to one that {@link Hop#isCounted}, count too, and the traversers themselves if
 * the loop emits what comes into it.
 *
 * @param <E> Vertex or Edge
 */
public final class Bg3PathCountStep<E extends Element> extends VertexStep<E> {
  private static final long serialVersionUID = 1L;

  /** Stands where paths count, for people. */
  private static final String COUNTED = "count";

  private final List<Hop> hops;
  private final boolean countsStarts;
  private final boolean different;
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient PathLookup paths;

  /**
   * Counts the paths of some hops.
   *
   * @param returned Vertex, or Edge if the last hop ends at its edges
   * @param hops at least one
   * @param countsStarts whether each traverser counts too, by its bulk
   * @param different whether vertices count once each; not with edges
   */
  public Bg3PathCountStep(
      Traversal.Admin<?, ?> traversal,
      Class<E> returned,
      List<Hop> hops,
      boolean countsStarts,
      boolean different) {
    super(traversal, returned, hops.get(hops.size() - 1).direction(), labels(hops));
    this.hops = List.copyOf(hops);
    this.countsStarts = countsStarts;
    this.different = different;
  }

  /**
   * The step that stands for some hops and this one.
   *
   * @param first the hops in front of this step
   */
  public Bg3PathCountStep<E> behind(List<Hop> first) {
    List<Hop> all = new ArrayList<>(first);
    if (countsStarts && !first.isEmpty()) {
      all.set(first.size() - 1, first.get(first.size() - 1).andCounted());
    }
    all.addAll(hops);
    return new Bg3PathCountStep<>(
        getTraversal(), getReturnClass(), all, countsStarts && first.isEmpty(), different);
  }

  /**
   * The labels of all hops; none if one has none. So a strategy that verifies that every hop names
   * its labels finds the one that does not.
   */
  private static String[] labels(List<Hop> hops) {
    List<String> all = new ArrayList<>();
    for (Hop hop : hops) {
      if (hop.shownLabels().isEmpty()) {
        return new String[0];
      }
      all.addAll(hop.shownLabels());
    }
    return all.toArray(String[]::new);
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
        paths = graph.paths(hops, returnsEdge(), countsStarts, different);
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
    if (countsStarts) {
      shown.add(COUNTED);
    }
    for (Hop hop : hops) {
      shown.add(hop.direction());
      shown.add(hop.shownLabels());
      if (hop.isCounted()) {
        shown.add(COUNTED);
      }
    }
    shown.add(returnsEdge() ? "edge" : "vertex");
    shown.add(different ? "dedup,count" : COUNTED);
    return StringFactory.stepString(this, shown.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), hops, countsStarts, different);
  }

  @Override
  @SuppressWarnings("unchecked") // a clone is of its original's class
  public Bg3PathCountStep<E> clone() {
    Bg3PathCountStep<E> copy = (Bg3PathCountStep<E>) super.clone();
    copy.forget();
    return copy;
  }
}
