package io.bg3.server;

import io.bg3.Setting;
import io.bg3.Settings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * A configuration file: Java properties in UTF-8, with the prefix {@code server.} for settings of
 * the server, {@code bg3.} for settings of the store, and {@code graphs.NAME.} for those of further
 * graphs. Threads: any; immutable.
 *
 * @param server the server's settings, by key
 * @param store the settings of the default graph's store
 * @param share the default graph's share of the memory budget
 * @param graphs the other graphs, by name
 */
public record ConfigFile(
    Map<String, String> server, Settings store, int share, Map<String, GraphSettings> graphs) {

  /** The configuration without a file: every setting has its default. */
  public static ConfigFile empty() {
    return new ConfigFile(Map.of(), Settings.defaults(), GraphSettings.SHARE, Map.of());
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if a key is unknown, with the nearest known key, or a value is
   *     out of range
   * @throws IOException if the file cannot be read
   */
  public static ConfigFile read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    try {
      ConfigFile read = of(properties);
      ServerSettings.of(read.server);
      return read;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", file=" + file, e);
    }
  }

  private static ConfigFile of(Properties properties) {
    Map<String, String> server = new TreeMap<>();
    Map<String, String> graphs = new TreeMap<>();
    Settings store = Settings.defaults();
    for (String key : properties.stringPropertyNames()) {
      String value = properties.getProperty(key);
      if (ServerKey.keys().contains(key)) {
        server.put(key, value);
      } else if (key.startsWith(GraphSettings.PREFIX)) {
        graphs.put(key, value);
      } else if (Setting.of(key).isPresent()) {
        store = store.with(key, value);
      } else {
        throw new IllegalArgumentException(
            "unknown setting: key=" + key + ", nearest=" + nearest(key));
      }
    }
    return new ConfigFile(
        server, store, GraphSettings.shareOfDefault(graphs), GraphSettings.read(graphs, store));
  }

  /** The store's settings that the file sets, by key, for the configuration of a graph. */
  public Map<String, String> graph() {
    return set(store);
  }

  /** The settings of a store that are set, by key. */
  static Map<String, String> set(Settings store) {
    Map<String, String> set = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      if (store.isSet(setting)) {
        set.put(setting.key(), store.text(setting));
      }
    }
    return set;
  }

  private static String nearest(String key) {
    return nearest(
        key,
        Stream.concat(
            ServerKey.keys().stream(), Arrays.stream(Setting.values()).map(Setting::key)));
  }

  /** The known key that looks most like this one. */
  static String nearest(String key, Stream<String> keys) {
    return keys.min(
            Comparator.comparingInt(
                known -> LevenshteinDistance.getDefaultInstance().apply(key, known)))
        .orElseThrow();
  }
}
