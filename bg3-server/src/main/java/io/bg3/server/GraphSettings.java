package io.bg3.server;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.server.request.GraphName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A graph of a configuration file beside the default graph: the keys that begin with {@code
 * graphs.NAME.}. Threads: any; immutable.
 *
 * @param share the weight of its part of the memory budget
 * @param store the settings of its store: those of the file for all stores, and its own
 */
public record GraphSettings(String name, Path data, int share, Settings store) {
  /** The beginning of the keys. */
  static final String PREFIX = "graphs.";

  /** The share of a graph that names none. */
  public static final int SHARE = 1;

  /** The largest share. */
  static final int MOST_SHARES = 1_000_000;

  private static final String DATA = "data";
  private static final String WEIGHT = "share";

  /** The settings of a store that other keys of a graph set. */
  private static final Map<Setting, String> OTHERS =
      Map.of(Setting.DIRECTORY, DATA, Setting.MEMORY_BUDGET, WEIGHT);

  /**
   * Reads the graphs of a file.
   *
   * @param values the keys that begin with {@link #PREFIX}
   * @param standard the settings of the default graph, which hold for the others as well
   * @return the graphs by name, without the default graph
   * @throws IllegalArgumentException if a key or a name is not valid, a value is out of its range,
   *     or a graph has no directory
   */
  static Map<String, GraphSettings> read(Map<String, String> values, Settings standard) {
    Map<String, Map<String, String>> byGraph = new TreeMap<>();
    values.forEach(
        (key, value) -> {
          int end = key.indexOf('.', PREFIX.length());
          String graph = key.substring(PREFIX.length(), end < 0 ? key.length() : end);
          String rest = end < 0 ? "" : key.substring(end + 1);
          try {
            GraphName.require(graph);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ", key=" + key, e);
          }
          requireKey(key, graph, rest);
          byGraph.computeIfAbsent(graph, unused -> new TreeMap<>()).put(rest, value);
        });
    Map<String, GraphSettings> graphs = new TreeMap<>();
    byGraph.forEach(
        (graph, own) -> {
          if (!graph.equals(GraphName.DEFAULT)) {
            graphs.put(graph, of(graph, own, forOthers(standard)));
          }
        });
    return graphs;
  }

  /** The share of the default graph in the same keys. */
  static int shareOfDefault(Map<String, String> values) {
    String key = PREFIX + GraphName.DEFAULT + "." + WEIGHT;
    return share(key, values.get(key));
  }

  private static void requireKey(String key, String graph, String rest) {
    boolean isDefault = graph.equals(GraphName.DEFAULT);
    Optional<Setting> setting = Setting.of(rest);
    if (isDefault && !rest.equals(WEIGHT)) {
      throw new IllegalArgumentException(
          "the default graph cannot have this setting: key="
              + key
              + "; the keys of its store begin with bg3., and its directory is --data");
    }
    if (setting.isPresent() && OTHERS.containsKey(setting.get())) {
      throw new IllegalArgumentException(
          "a graph cannot have this setting: key="
              + key
              + ", instead="
              + PREFIX
              + graph
              + "."
              + OTHERS.get(setting.get()));
    }
    if (setting.isEmpty() && !Set.of(DATA, WEIGHT).contains(rest)) {
      throw new IllegalArgumentException(
          "unknown setting: key=" + key + ", nearest=" + nearest(graph, rest));
    }
  }

  private static String nearest(String graph, String rest) {
    List<String> known = new ArrayList<>(List.of(DATA, WEIGHT));
    for (Setting setting : Setting.values()) {
      if (!OTHERS.containsKey(setting)) {
        known.add(setting.key());
      }
    }
    return PREFIX + graph + "." + ConfigFile.nearest(rest, known.stream());
  }

  private static GraphSettings of(String graph, Map<String, String> own, Settings standard) {
    String data = own.getOrDefault(DATA, "").strip();
    if (data.isEmpty()) {
      throw new IllegalArgumentException(
          "graph has no directory: graph=" + graph + ", missing=" + PREFIX + graph + "." + DATA);
    }
    Settings store = standard.with(Setting.DIRECTORY, data);
    for (Map.Entry<String, String> entry : own.entrySet()) {
      Optional<Setting> setting = Setting.of(entry.getKey());
      if (setting.isPresent()) {
        try {
          store = store.with(setting.get(), entry.getValue());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(e.getMessage() + ", graph=" + graph, e);
        }
      }
    }
    String key = PREFIX + graph + "." + WEIGHT;
    return new GraphSettings(
        graph, Path.of(data).toAbsolutePath().normalize(), share(key, own.get(WEIGHT)), store);
  }

  /** The settings of a file that hold for graphs beside the default graph as well. */
  private static Settings forOthers(Settings standard) {
    Settings others = Settings.defaults();
    for (Setting setting : Setting.values()) {
      if (standard.isSet(setting) && !OTHERS.containsKey(setting)) {
        others = others.with(setting, standard.text(setting));
      }
    }
    return others;
  }

  /** The settings of a file that hold for other graphs than the default one, by key. */
  public static Map<String, String> configurationOfOthers(Settings standard) {
    return ConfigFile.set(forOthers(standard));
  }

  private static int share(String key, String value) {
    try {
      int share = value == null ? SHARE : Integer.parseInt(value.strip());
      if (share >= 1 && share <= MOST_SHARES) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, value, e);
    }
    throw wrong(key, value, null);
  }

  private static IllegalArgumentException wrong(String key, String value, Throwable cause) {
    return new IllegalArgumentException(
        "setting is not a share: key=" + key + ", value=" + value + ", range=1 to " + MOST_SHARES,
        cause);
  }

  /** The settings of its store that are set, by key, for the configuration of a graph. */
  public Map<String, String> configuration() {
    return ConfigFile.set(store);
  }
}
