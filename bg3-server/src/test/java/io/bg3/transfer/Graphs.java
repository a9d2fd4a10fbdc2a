package io.bg3.transfer;

import io.bg3.Bg3;
import io.bg3.core.graph.GraphStore;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares graphs: ids with their classes, labels, values with their classes and bits, how many
 * values a key has, meta-properties, parallel edges. Edges whose ids a store made up are compared
 * by all the rest.
 */
public final class Graphs {
  private Graphs() {}

  /** Elements that one store has and the other does not, at most a few of them. */
  public static List<String> differences(Bg3 expected, Bg3 found) throws IOException {
    return differences(describe(expected.graph()), describe(found.graph()));
  }

  static List<String> differences(Map<String, Integer> expected, Map<String, Integer> found) {
    List<String> different = new ArrayList<>();
    expected.forEach(
        (element, count) -> {
          if (!count.equals(found.get(element)) && different.size() < 10) {
            different.add("missing: " + element + " x " + count);
          }
        });
    found.forEach(
        (element, count) -> {
          if (!count.equals(expected.get(element)) && different.size() < 20) {
            different.add("unexpected: " + element + " x " + count);
          }
        });
    return different;
  }

  /** Every element in words, and how many there are of it. */
  static Map<String, Integer> describe(GraphStore store) throws IOException {
    Map<String, Integer> elements = new LinkedHashMap<>();
    try (GraphSource source = new StoreSource(store, new Losses(false))) {
      source.vertices(vertex -> elements.merge(vertex(vertex), 1, Integer::sum));
      source.edges(edge -> elements.merge(edge(edge), 1, Integer::sum));
    }
    return elements;
  }

  private static String vertex(VertexData vertex) {
    List<String> properties = new ArrayList<>();
    for (PropertyData property : vertex.properties()) {
      properties.add(
          property.key()
              + (GeneratedIds.isOfProperty(property.id()) ? "" : "(" + value(property.id()) + ")")
              + "="
              + value(property.value())
              + value(new TreeMap<>(property.metas())));
    }
    properties.sort(null);
    return "vertex " + value(vertex.id()) + ":" + vertex.label() + " " + properties;
  }

  private static String edge(EdgeData edge) {
    return "edge "
        + (GeneratedIds.isOfEdge(edge.id()) ? "(made up)" : value(edge.id()))
        + ":"
        + edge.label()
        + " "
        + value(edge.from())
        + " -> "
        + value(edge.to())
        + " "
        + value(new TreeMap<>(edge.properties()));
  }

  /** A value in words that no other value has. */
  static String value(Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof List<?> list) {
      return "List" + each(list);
    } else if (value instanceof Collection<?> set) {
      return "Set" + new TreeSet<>(each(set));
    } else if (value instanceof Map<?, ?> map) {
      TreeMap<String, String> sorted = new TreeMap<>();
      map.forEach((key, element) -> sorted.put(value(key), value(element)));
      return "Map" + sorted;
    } else if (value instanceof Double number) {
      return "Double " + number + " " + Long.toHexString(Double.doubleToLongBits(number));
    } else if (value.getClass().isArray()) {
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(Array.get(value, i));
      }
      return value.getClass().getSimpleName() + each(elements);
    }
    return value.getClass().getSimpleName() + " '" + value + "'";
  }

  private static List<String> each(Collection<?> values) {
    return values.stream().map(Graphs::value).toList();
  }
}
