package io.bg3.gremlin.structure;

import io.bg3.Setting;
import io.bg3.Settings;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * What a configuration says about a graph: the settings of its store ({@link Setting}) and two of
 * the graph itself.
 *
 * @param store the settings of the store
 * @param ids how ids of vertices are shown ({@link #IDS})
 * @param cardinality of a vertex property that is set without saying one ({@link #CARDINALITY})
 */
record Bg3GraphSettings(Settings store, Bg3VertexIds ids, VertexProperty.Cardinality cardinality) {
  /** {@code canonical}, {@code integer} or {@code string}: see {@link Bg3VertexIds}. */
  static final String IDS = "bg3.graph.ids";

  /** {@code single} (the default), {@code list} or {@code set}. */
  static final String CARDINALITY = "bg3.graph.cardinality";

  private static final String PREFIX = "bg3.";

  /**
   * Reads the keys that begin with {@code bg3.}; others are somebody else's.
   *
   * @throws IllegalArgumentException if one is not known (the message names the nearest that is) or
   *     its value is not allowed
   */
  static Bg3GraphSettings of(Configuration configuration) {
    Settings store = Settings.defaults();
    Bg3VertexIds ids = Bg3VertexIds.CANONICAL;
    VertexProperty.Cardinality cardinality = VertexProperty.Cardinality.single;
    for (Iterator<String> keys = configuration.getKeys(); keys.hasNext(); ) {
      String key = keys.next();
      if (!key.startsWith(PREFIX)) {
        continue;
      }
      String value = configuration.getString(key);
      switch (key) {
        case IDS -> ids = choice(key, value, Bg3VertexIds.values());
        case CARDINALITY -> cardinality = choice(key, value, VertexProperty.Cardinality.values());
        default -> store = store.with(key, value);
      }
    }
    return new Bg3GraphSettings(store, ids, cardinality);
  }

  private static <E extends Enum<E>> E choice(String key, String value, E[] choices) {
    for (E choice : choices) {
      if (choice.name().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        "invalid setting: key="
            + key
            + ", value="
            + value
            + ", allowed="
            + Arrays.toString(choices).toLowerCase(Locale.ROOT));
  }
}
