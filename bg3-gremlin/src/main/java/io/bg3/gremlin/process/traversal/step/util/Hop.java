package io.bg3.gremlin.process.traversal.step.util;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;

/**
 * The direction and the labels of one {@code out}, {@code in} or {@code both}, and whether the
 * vertices behind it count beside those behind the last hop, as in a loop with {@code emit()}.
 * Immutable.
 */
public final class Hop implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Direction direction;
  private final String[] labels;
  private final boolean counted;

  /** The edges in a direction with one of these labels; none for all. */
  public Hop(Direction direction, String... labels) {
    this(direction, false, labels.clone());
  }

  private Hop(Direction direction, boolean counted, String[] labels) {
    this.direction = direction;
    this.counted = counted;
    this.labels = labels;
  }

  /** A hop over the same edges behind which the vertices count. */
  public Hop andCounted() {
    return new Hop(direction, true, labels);
  }

  /** Whether the vertices behind it count even if it is not the last hop. */
  public boolean isCounted() {
    return counted;
  }

  /** The direction of the edges, seen from the vertex at which the hop begins. */
  public Direction direction() {
    return direction;
  }

  /** The labels of the edges, a copy; none for all. One that is null is no label of an edge. */
  public String[] labels() {
    return labels.clone();
  }

  /** The labels as a list that cannot be changed, for messages and plans. */
  public List<String> shownLabels() {
    return Collections.unmodifiableList(Arrays.asList(labels));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hop hop
        && hop.direction == direction
        && hop.counted == counted
        && Arrays.equals(hop.labels, labels);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * direction.hashCode() + Arrays.hashCode(labels)) + Boolean.hashCode(counted);
  }
}
