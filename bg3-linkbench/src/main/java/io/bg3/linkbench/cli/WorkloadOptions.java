package io.bg3.linkbench.cli;

import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import io.bg3.linkbench.workload.ConfigFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options for the workload: files and keys. */
final class WorkloadOptions {
  @Option(
      names = "-c",
      paramLabel = "FILE",
      description =
          "LinkBench's configuration, with or without a workload_file (default: ours,"
              + " conf/linkbench.properties).")
  private Path file;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A key that counts instead of the file's; may be given often.")
  private Map<String, String> keys = new LinkedHashMap<>();

  @Option(
      names = "--seed",
      description = "The seed of load and requests: load_random_seed and request_random_seed.")
  private Long seed;

  /**
   * The configuration; what the command says counts before what the files say.
   *
   * @param more keys that other options of the command stand for
   */
  Config config(Map<String, String> more) {
    Map<String, String> overrides = new LinkedHashMap<>(more);
    if (seed != null) {
      overrides.put("load_random_seed", seed.toString());
      overrides.put("request_random_seed", seed.toString());
    }
    overrides.putAll(keys);
    return ConfigFiles.read(file == null ? stock() : file, overrides);
  }

  private static Path stock() {
    String stock = System.getProperty("bg3.linkbench.config");
    if (stock == null) {
      throw new ConfigException("no configuration was named: say -c FILE");
    }
    return Path.of(stock);
  }
}
