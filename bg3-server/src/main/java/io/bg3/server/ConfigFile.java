package io.bg3.server;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A configuration file: Java properties in UTF-8, {@code server.*} for the server and {@code bg3.*}
 * for the store.
 *
 * @param server the server's settings, by key
 * @param store the store's, by key
 */
public record ConfigFile(Map<String, String> server, Map<String, String> store) {

  /** What holds when there is no file. */
  public static ConfigFile empty() {
    return new ConfigFile(Map.of(), Map.of());
  }

  /**
   * Reads a file.
   *
   * @param storeKeys the keys the store knows
   * @throws IllegalArgumentException if a key is unknown, naming the nearest, or the file is no
   *     properties file
   * @throws IOException if it cannot be read
   */
  public static ConfigFile read(Path file, Collection<String> storeKeys) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    Map<String, String> server = new TreeMap<>();
    Map<String, String> store = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (ServerKey.keys().contains(key)) {
        server.put(key, properties.getProperty(key));
      } else if (storeKeys.contains(key)) {
        store.put(key, properties.getProperty(key));
      } else {
        throw new IllegalArgumentException(
            "unknown setting: key="
                + key
                + ", file="
                + file
                + ", nearest="
                + nearest(key, storeKeys));
      }
    }
    return new ConfigFile(server, store);
  }

  private static String nearest(String key, Collection<String> storeKeys) {
    return Stream.concat(ServerKey.keys().stream(), storeKeys.stream())
        .min(Comparator.comparingInt(known -> distance(key, known)))
        .orElseThrow();
  }

  /** How many letters have to be put in, taken out or changed to make one word of the other. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
