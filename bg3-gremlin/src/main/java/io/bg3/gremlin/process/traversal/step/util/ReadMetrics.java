package io.bg3.gremlin.process.traversal.step.util;

import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;

/**
 * Counts the elements that a step reads from the store, for {@code profile()}. The count of
 * elements that {@code profile()} shows by itself is that of the elements a step emits; the
 * difference is what a condition without an index costs.
 *
 * <p>Threads: the one that runs the traversal.
 */
public final class ReadMetrics implements Serializable {
  /** The name under which the number stands among the annotations of a step's metrics. */
  public static final String ANNOTATION = "elementsRead";

  /** Counts nothing; for a traversal that is not profiled. */
  public static final ReadMetrics UNPROFILED = new ReadMetrics();

  /** The name under which the index stands by which a step has looked. */
  public static final String INDEX = "index";

  /** The name under which the elements stand that a step reads as a whole, for want of an index. */
  public static final String SCAN = "scan";

  private static final long serialVersionUID = 1L;

  private final MutableMetrics metrics;
  private final boolean counts;
  private final Set<String> indexes = new LinkedHashSet<>();
  private long count;

  private ReadMetrics() {
    this(null, false);
  }

  /** Counts into the metrics of a step, from zero. */
  public ReadMetrics(MutableMetrics metrics) {
    this(metrics, true);
    metrics.setAnnotation(ANNOTATION, 0L);
  }

  private ReadMetrics(MutableMetrics metrics, boolean counts) {
    this.metrics = metrics;
    this.counts = counts;
  }

  /** Says by which indexes a step looks, and counts nothing. */
  public static ReadMetrics ofIndexes(MutableMetrics metrics) {
    return new ReadMetrics(metrics, false);
  }

  /**
   * Says by which indexes a step looks, beside those by which it has looked before; without effect
   * once the metrics are final.
   */
  public void addIndexes(List<String> names) {
    if (metrics != null && !metrics.isFinalized()) {
      indexes.addAll(names);
      metrics.setAnnotation(INDEX, String.join(",", indexes));
    }
  }

  /** Says that a step reads all elements of a kind; without effect once the metrics are final. */
  public void setScan(String elements) {
    if (metrics != null && !metrics.isFinalized()) {
      metrics.setAnnotation(SCAN, elements);
    }
  }

  /** Counts more elements; without effect once the metrics are final. */
  public void add(long elements) {
    if (counts && !metrics.isFinalized()) {
      count += elements;
      metrics.setAnnotation(ANNOTATION, count);
    }
  }
}
