package io.bg3.core.graph;

import io.bg3.core.limit.Limit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The rules for the elements with one label; see {@link GraphStore#defineSchema}.
 *
 * @param kind the elements
 * @param label that of the elements, of vertices the first one
 * @param keys what is required of property keys, each key once
 * @param closed whether the elements have no other keys than these
 * @param single whether there is one edge at most from one vertex to another
 * @param ends which vertices the edges may join; all, for vertices
 */
public record LabelSchema(
    ElementKind kind,
    String label,
    List<KeyRule> keys,
    boolean closed,
    boolean single,
    AllowedEnds ends) {
  /**
   * A schema.
   *
   * @throws IllegalArgumentException if a key comes twice, if a cardinality is given for edges, or
   *     if vertices are to be single or have ends
   * @throws io.bg3.core.limit.LimitExceededException if there are too many keys or labels of ends
   */
  public LabelSchema {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(label, "label");
    keys = List.copyOf(keys);
    Limit.SCHEMA_KEYS.check(keys.size());
    Limit.SCHEMA_ENDS.check(ends.sources().size() + (long) ends.targets().size());
    if (!ends.isAny() && kind != ElementKind.EDGE) {
      throw new IllegalArgumentException(
          "only a schema of edges has sources and targets: label=" + label + ", ends=" + ends);
    }
    if (single && kind != ElementKind.EDGE) {
      throw new IllegalArgumentException(
          "only a schema of edges may be single; use a unique index for vertices: label=" + label);
    }
    Set<String> names = new HashSet<>();
    for (KeyRule rule : keys) {
      if (!names.add(rule.key())) {
        throw new IllegalArgumentException(
            "a schema has each key once: label=" + label + ", key=" + rule.key());
      }
      if (kind == ElementKind.EDGE && rule.cardinality() != null) {
        throw new IllegalArgumentException(
            "a key of an edge always has one value; leave the cardinality out: label="
                + label
                + ", key="
                + rule.key()
                + ", cardinality="
                + rule.cardinality());
      }
    }
  }

  /** A schema of vertices without rules, to which keys are added. */
  public static LabelSchema ofVertices(String label) {
    return new LabelSchema(ElementKind.VERTEX, label, List.of(), false, false, AllowedEnds.any());
  }

  /** A schema of edges without rules, to which keys are added. */
  public static LabelSchema ofEdges(String label) {
    return new LabelSchema(ElementKind.EDGE, label, List.of(), false, false, AllowedEnds.any());
  }

  /** This schema with one more rule. */
  public LabelSchema with(KeyRule rule) {
    List<KeyRule> more = new ArrayList<>(keys);
    more.add(rule);
    return new LabelSchema(kind, label, more, closed, single, ends);
  }

  /** This schema, closed: the elements have no other keys. */
  public LabelSchema asClosed() {
    return new LabelSchema(kind, label, keys, true, single, ends);
  }

  /** This schema of edges, of which there is one at most from one vertex to another. */
  public LabelSchema asSingle() {
    return new LabelSchema(kind, label, keys, closed, true, ends);
  }

  /** This schema of edges, which may join these vertices. */
  public LabelSchema with(AllowedEnds allowed) {
    return new LabelSchema(kind, label, keys, closed, single, allowed);
  }

  /** Whether it allows everything. */
  public boolean isEmpty() {
    return keys.isEmpty() && !closed && !single && ends.isAny();
  }

  /** For people: {@code label} of vertices, and of edges {@code edge:label}. */
  String name() {
    return (kind == ElementKind.EDGE ? IndexedKeys.EDGES : "") + label;
  }

  /** As {@code bg3.schema.define} takes it, without the kind and the label. */
  @Override
  public String toString() {
    return "[keys:%s%s%s%s]"
        .formatted(
            keys,
            closed ? ", closed:true" : "",
            single ? ", single:true" : "",
            ends.isAny() ? "" : ", " + ends);
  }
}
