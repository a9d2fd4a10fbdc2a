package io.bg3.gremlin.process.traversal.step.util;

import java.io.Serializable;
import java.util.List;
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
  private long count;

  private ReadMetrics() {
    metrics = null;
  }

  /** Counts into the metrics of a step, from zero. */
  public ReadMetrics(MutableMetrics metrics) {
    this.metrics = metrics;
    metrics.setAnnotation(ANNOTATION, 0L);
  }

  /** Says by which index a step looks; without effect once the metrics are final. */
  public void setIndex(List<String> names) {
    if (metrics != null && !metrics.isFinalized()) {
      metrics.setAnnotation(INDEX, String.join(",", names));
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
    if (metrics != null && !metrics.isFinalized()) {
      count += elements;
      metrics.setAnnotation(ANNOTATION, count);
    }
  }
}
