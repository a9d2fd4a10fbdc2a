package io.bg3.transfer.definitions;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.LabelSchema;
import java.util.List;
import java.util.function.Predicate;

/**
 * The definitions of a graph, in the order in which they are applied.
 *
 * @param families families of edge labels
 * @param labels declared edge labels; a form with a family has the time to live of the family
 * @param schemas rules for the elements with a label
 * @param indexes property indexes
 */
public record Definitions(
    List<EdgeFamily> families,
    List<LabelDefinition> labels,
    List<LabelSchema> schemas,
    List<IndexDefinition> indexes) {
  /** Definitions that do not change. */
  public Definitions {
    families = List.copyOf(families);
    labels = List.copyOf(labels);
    schemas = List.copyOf(schemas);
    indexes = List.copyOf(indexes);
  }

  /** No definitions. */
  public static Definitions none() {
    return new Definitions(List.of(), List.of(), List.of(), List.of());
  }

  /** Definitions of indexes alone. */
  public static Definitions of(List<IndexDefinition> indexes) {
    return new Definitions(List.of(), List.of(), List.of(), indexes);
  }

  /** These definitions without the schemas that meet a condition. */
  public Definitions withoutSchemas(Predicate<LabelSchema> condition) {
    return new Definitions(
        families, labels, schemas.stream().filter(condition.negate()).toList(), indexes);
  }

  /** How many there are, for people: {@code 1 family, 2 edge labels, 1 schema, 0 indexes}. */
  @Override
  public String toString() {
    return count(families, "family", "families")
        + ", "
        + count(labels, "edge label", "edge labels")
        + ", "
        + count(schemas, "schema", "schemas")
        + ", "
        + count(indexes, "index", "indexes");
  }

  private static String count(List<?> all, String one, String several) {
    return all.size() + " " + (all.size() == 1 ? one : several);
  }
}
