package io.bg3.gremlin.structure;

import io.bg3.Setting;
import io.bg3.Settings;
import java.util.Iterator;
import java.util.Locale;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * The settings of a graph, from a configuration: those of its store, and two that are of the graph
 * alone, so that graphs which differ in them can share a store.
 *
 * @param store the settings of the store
 * @param ids how ids of vertices are shown
 * @param cardinality of a vertex property that is set without saying one
 */
record Bg3GraphSettings(Settings store, Bg3VertexIds ids, VertexProperty.Cardinality cardinality) {
  private static final String PREFIX = "bg3.";

  /**
   * Reads the keys that begin with {@code bg3.}; other keys belong to other users of the
   * configuration.
   *
   * @throws IllegalArgumentException if one is not known (the message names the nearest that is) or
   *     its value is not allowed
   */
  static Bg3GraphSettings of(Configuration configuration) {
    Settings store = Settings.defaults();
    Settings graph = Settings.defaults();
    for (Iterator<String> keys = configuration.getKeys(); keys.hasNext(); ) {
      String key = keys.next();
      if (!key.startsWith(PREFIX)) {
        continue;
      }
      Settings changed = store.with(key, configuration.getString(key));
      if (changed.isSet(Setting.GRAPH_IDS) || changed.isSet(Setting.GRAPH_CARDINALITY)) {
        graph = graph.with(key, configuration.getString(key));
      } else {
        store = changed;
      }
    }
    String ids = graph.text(Setting.GRAPH_IDS).toUpperCase(Locale.ROOT);
    String cardinality = graph.text(Setting.GRAPH_CARDINALITY);
    return new Bg3GraphSettings(
        store, Bg3VertexIds.valueOf(ids), VertexProperty.Cardinality.valueOf(cardinality));
  }
}
