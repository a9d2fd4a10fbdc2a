package io.bg3.linkbench.workload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Puts a configuration together: what was said on the command line before the named file, and that
 * before the {@code workload_file} that it names. A path in them that is not absolute is looked for
 * where the environment's {@code LINKBENCH_HOME} says, beside the file, one folder up (where
 * LinkBench's own files expect it) and where the process runs.
 */
public final class ConfigFiles {
  private static final String WORKLOAD = "workload_file";
  private static final String DATA = "data_file";

  private final Path file;

  private ConfigFiles(Path file) {
    this.file = file;
  }

  /**
   * Reads a configuration.
   *
   * @param file in LinkBench's format, with or without a {@code workload_file}
   * @param overrides keys that count instead of the file's
   * @throws ConfigException if a file is not there or cannot be read
   */
  public static Config read(Path file, Map<String, String> overrides) {
    Properties properties = properties(file);
    overrides.forEach(properties::setProperty);
    ConfigFiles files = new ConfigFiles(file);
    if (!properties.getProperty(WORKLOAD, "").isBlank()) {
      Path workload = files.find(WORKLOAD, properties.getProperty(WORKLOAD).strip());
      properties(workload).forEach(properties::putIfAbsent);
    }
    if (!properties.getProperty(DATA, "").isBlank()) {
      Path data = files.find(DATA, properties.getProperty(DATA).strip());
      properties.setProperty(DATA, data.toString());
    }
    return new Config(properties);
  }

  private static Properties properties(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException("cannot read the configuration: file=" + file, e);
    }
    return properties;
  }

  private Path find(String key, String named) {
    List<Path> tried = new ArrayList<>();
    for (Path base : bases()) {
      Path path = base.resolve(named).normalize();
      if (Files.isReadable(path) && !Files.isDirectory(path)) {
        return path;
      }
      tried.add(path);
    }
    throw new ConfigException(
        "no such file: key="
            + key
            + ", value="
            + named
            + ", tried="
            + tried
            + (key.equals(DATA)
                ? "\nName LinkBench's Distribution.dat with -D data_file=PATH, or say -D data_file="
                    + " for the built-in distribution."
                : "\nName it with -D " + key + "=PATH."));
  }

  private Set<Path> bases() {
    Set<Path> bases = new LinkedHashSet<>();
    String home = System.getenv("LINKBENCH_HOME");
    if (home != null && !home.isBlank()) {
      bases.add(Path.of(home).toAbsolutePath());
    }
    Path beside = file.toAbsolutePath().normalize().getParent();
    bases.add(beside);
    if (beside.getParent() != null) {
      bases.add(beside.getParent());
    }
    bases.add(Path.of("").toAbsolutePath());
    return bases;
  }
}
