package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.sideEffect.Bg3GraphStep;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import java.io.Serializable;
import java.util.Map;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ConstantTraversal;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The searches of a merging step that begin at all vertices or all edges. Each is a traversal of
 * its own, whose start step counts into the metrics of the merging step.
 *
 * <p>Threads: the one that runs the traversal.
 */
final class MergeSearch implements Serializable {
  private static final long serialVersionUID = 1L;

  private ReadMetrics read = ReadMetrics.UNPROFILED;
  private transient Bg3GraphStep<?, ?> last;

  /** Counts into these metrics from now on. */
  void setMetrics(ReadMetrics metrics) {
    read = metrics;
  }

  /** The elements that a search finds. */
  <E> CloseableIterator<E> elements(Traversal<?, E> search) {
    last = start(search);
    if (last != null) {
      last.countInto(read);
    }
    return CloseableIterator.of(search);
  }

  /** How the last search has found its elements; null if there was none, or it looked up an id. */
  String access() {
    return last == null ? null : last.access();
  }

  /**
   * The indexes that a search would use now, for people.
   *
   * @param merge gives the map that is merged
   * @param search gives the search for a map; null if that is none among all elements
   * @return null if there are none, or if the map is not known before the traversal runs
   */
  static String indexes(Traversal.Admin<?, ?> merge, Function<Map<?, ?>, Traversal<?, ?>> search) {
    if (!(merge instanceof ConstantTraversal)
        || !(merge.next() instanceof Map<?, ?> map)
        || !(map.get(T.label) == null || map.get(T.label) instanceof String)) {
      return null;
    }
    Traversal<?, ?> found = search.apply(map);
    Bg3GraphStep<?, ?> start = found == null ? null : start(found);
    return start == null ? null : start.shownIndexes();
  }

  private static Bg3GraphStep<?, ?> start(Traversal<?, ?> search) {
    search.asAdmin().applyStrategies();
    return search.asAdmin().getStartStep() instanceof Bg3GraphStep<?, ?> start ? start : null;
  }
}
