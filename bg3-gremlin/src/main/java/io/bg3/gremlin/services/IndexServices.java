package io.bg3.gremlin.services;

import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexStatus;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The services {@code bg3.index.*}: indexes on properties of vertices. An index is a map of its
 * label (absent for one on all vertices), its keys, {@code unique} (absent if it is not), its state
 * ({@code building}, {@code verifying}, {@code ready} or {@code dropping}), how many vertices or
 * entries have been worked on, and why the work has stopped (absent if it has not).
 */
final class IndexServices {
  private static final String LABEL = "label";
  private static final String KEYS = "keys";
  private static final String UNIQUE = "unique";

  private IndexServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    Map<String, String> index =
        LinkServices.described(
            LABEL,
            "the first label of the vertices that it holds; all vertices if absent",
            KEYS,
            "a list of one property key");
    Map<String, String> created = new LinkedHashMap<>(index);
    created.put(UNIQUE, "true if no two vertices may have a value in common; false if absent");
    return List.of(
        Bg3Service.writing(graph, "bg3.index.create", created, IndexServices::create),
        Bg3Service.writing(graph, "bg3.index.drop", index, IndexServices::drop),
        Bg3Service.reading(graph, "bg3.index.list", Map.of(), IndexServices::list));
  }

  private static List<?> create(Bg3Graph graph, ServiceParameters parameters) {
    String label = parameters.optionalText(LABEL);
    String key = key(parameters);
    GraphStore store = graph.graphStore();
    return List.of(
        row(
            parameters.flag(UNIQUE, false)
                ? store.createUniqueIndex(label, key)
                : store.createIndex(label, key)));
  }

  private static List<?> drop(Bg3Graph graph, ServiceParameters parameters) {
    String label = parameters.optionalText(LABEL);
    return List.of(graph.graphStore().dropIndex(label, key(parameters)));
  }

  private static List<?> list(Bg3Graph graph, ServiceParameters parameters) {
    return graph.graphStore().indexes().stream().map(IndexServices::row).toList();
  }

  private static String key(ServiceParameters parameters) {
    return parameters.text(KEYS, parameters.single(KEYS));
  }

  private static Map<String, Object> row(IndexStatus index) {
    Map<String, Object> row = new LinkedHashMap<>();
    if (index.label() != null) {
      row.put(LABEL, index.label());
    }
    row.put(KEYS, List.of(index.key()));
    if (index.unique()) {
      row.put(UNIQUE, true);
    }
    row.put("state", index.state().name().toLowerCase(Locale.ROOT));
    row.put("done", index.done());
    if (index.problem() != null) {
      row.put("problem", index.problem());
    }
    return row;
  }
}
