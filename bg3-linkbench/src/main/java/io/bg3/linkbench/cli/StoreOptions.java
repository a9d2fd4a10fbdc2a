package io.bg3.linkbench.cli;

import io.bg3.Setting;
import io.bg3.linkbench.StoreSettings;
import io.bg3.linkbench.mariadb.MariaDatabase;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.MemoryDatabase;
import io.bg3.linkbench.workload.Config;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options for the store and its place. */
final class StoreOptions {
  /** The stores there are. */
  enum Kind {
    BG3,
    REMOTE,
    MARIADB,
    MEMORY
  }

  @Option(
      names = "--store",
      description = "The store: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Kind kind = Kind.BG3;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Where BG3's stores are, a directory for each dbid (default: bg3.directory of the"
              + " configuration).")
  private Path data;

  @Option(
      names = "--durability",
      paramLabel = "sync|async|none",
      description =
          "What a write waits for (default: bg3.durability, else sync). MariaDB's setting is"
              + " changed for the whole server.")
  private String durability;

  /** The options as keys of the configuration. */
  Map<String, String> keys() {
    Map<String, String> keys = new TreeMap<>();
    if (kind == Kind.REMOTE) {
      keys.put(StoreSettings.MODE, "remote");
    }
    if (data != null) {
      keys.put(Setting.DIRECTORY.key(), data.toString());
    }
    if (durability != null) {
      keys.put(Setting.DURABILITY.key(), durability);
    }
    return keys;
  }

  /** Opens it. */
  LinkDatabase open(Config config) {
    return switch (kind) {
      case BG3, REMOTE -> new StoreSettings(config).open(config.text("dbid"));
      case MARIADB -> new MariaDatabase(config);
      case MEMORY -> new MemoryDatabase();
    };
  }

  /** A place for figures of this store. */
  MetricLines figures(Config config) {
    String setting =
        "nodes="
            + (config.endId() - config.startId())
            + ", requesters="
            + config.text("requesters")
            + (kind == Kind.REMOTE ? "" : ", durability=" + durability(config))
            + (kind == Kind.MARIADB ? ", engine=" + config.text("engine", "InnoDB") : "");
    return new MetricLines(kind.name().toLowerCase(Locale.ROOT), setting);
  }

  private static String durability(Config config) {
    return config.text(Setting.DURABILITY.key(), Setting.DURABILITY.defaultText());
  }

  /** Whether what one process loads the next can ask for. */
  boolean keeps() {
    return kind != Kind.MEMORY;
  }
}
