package io.bg3.gremlin.services;

import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexStatus;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.limit.Limit;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The services {@code bg3.index.*}: indexes on properties of vertices or edges. An index is a map
 * of its kind (absent for vertices), its label (absent for one on all elements), its keys, {@code
 * unique} (absent if it is not), {@code ordered} (false for one of an earlier release, which
 * answers no ranges of dates; absent otherwise), its state ({@code building}, {@code verifying},
 * {@code ready} or {@code dropping}), how many vertices or entries have been worked on, and why the
 * work has stopped (absent if it has not).
 */
final class IndexServices {
  private static final String KIND = "kind";
  private static final String VERTEX = "vertex";
  private static final String EDGE = "edge";
  private static final String LABEL = "label";
  private static final String KEYS = "keys";
  private static final String UNIQUE = "unique";
  private static final String ORDERED = "ordered";
  private static final int MOST_KEYS = (int) Limit.INDEX_KEYS.most();

  private IndexServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    Map<String, String> index =
        LinkServices.described(
            KIND,
            "'vertex' or 'edge': what it holds; vertices if absent",
            LABEL,
            "the label of the elements that it holds, of vertices the first; all if absent",
            KEYS,
            "a list of one property key or more, in the order in which the index has them");
    Map<String, String> created = new LinkedHashMap<>(index);
    created.put(
        UNIQUE,
        "true if no two elements may have a value, or a combination, in common; false if absent");
    return List.of(
        Bg3Service.writing(graph, "bg3.index.create", created, IndexServices::create),
        Bg3Service.writing(graph, "bg3.index.drop", index, IndexServices::drop),
        Bg3Service.reading(graph, "bg3.index.list", Map.of(), IndexServices::list));
  }

  private static List<?> create(Bg3Graph graph, ServiceParameters parameters) {
    boolean unique = parameters.flag(UNIQUE, false);
    return List.of(row(graph.graphStore().createIndex(keys(parameters), unique)));
  }

  private static List<?> drop(Bg3Graph graph, ServiceParameters parameters) {
    return List.of(graph.graphStore().dropIndex(keys(parameters)));
  }

  private static List<?> list(Bg3Graph graph, ServiceParameters parameters) {
    return graph.graphStore().indexes().stream().map(IndexServices::row).toList();
  }

  private static IndexedKeys keys(ServiceParameters parameters) {
    List<String> keys =
        parameters.list(KEYS, MOST_KEYS).stream().map(key -> parameters.text(KEYS, key)).toList();
    return new IndexedKeys(kind(parameters), parameters.optionalText(LABEL), keys);
  }

  private static ElementKind kind(ServiceParameters parameters) {
    String kind = parameters.optionalText(KIND);
    if (kind == null || kind.equals(VERTEX)) {
      return ElementKind.VERTEX;
    }
    if (kind.equals(EDGE)) {
      return ElementKind.EDGE;
    }
    throw parameters.refusal(KIND, "'vertex' or 'edge'", kind);
  }

  private static Map<String, Object> row(IndexStatus index) {
    Map<String, Object> row = new LinkedHashMap<>();
    if (index.of().kind() == ElementKind.EDGE) {
      row.put(KIND, EDGE);
    }
    if (index.of().label() != null) {
      row.put(LABEL, index.of().label());
    }
    row.put(KEYS, index.of().keys());
    if (index.unique()) {
      row.put(UNIQUE, true);
    }
    if (!index.ordered()) {
      row.put(ORDERED, false);
    }
    row.put("state", index.state().name().toLowerCase(Locale.ROOT));
    row.put("done", index.done());
    if (index.problem() != null) {
      row.put("problem", index.problem());
    }
    return row;
  }
}
