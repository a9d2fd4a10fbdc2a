package io.bg3.linkbench.workload;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Configurations for tests: ours, made smaller. */
public final class Workloads {
  private Workloads() {}

  /** Our own configuration with other values for some keys. */
  public static Config stock(String... keysAndValues) {
    Map<String, String> overrides = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      overrides.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return ConfigFiles.read(file(), overrides);
  }

  /** A workload of five hundred nodes, none of which has many links. */
  public static Config small(String... more) {
    String[] keys = {
      "maxid1",
      "501",
      "nlinks_func",
      "ZipfDistribution",
      "nlinks_shape",
      "0.9",
      "nlinks_mean",
      "4",
      "requesters",
      "3",
      "loaders",
      "2",
      "loader_chunk_size",
      "100"
    };
    String[] all = new String[keys.length + more.length];
    System.arraycopy(keys, 0, all, 0, keys.length);
    System.arraycopy(more, 0, all, keys.length, more.length);
    return stock(all);
  }

  /** Where our configuration is. */
  public static Path file() {
    return Path.of("../conf/linkbench.properties").toAbsolutePath().normalize();
  }
}
