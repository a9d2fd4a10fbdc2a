package io.bg3.linkbench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.linkbench.engine.EngineDatabase;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.remote.RemoteDatabase;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import java.nio.file.Path;

/**
 * The directory and the settings of the store, as a configuration says them. Every {@code dbid} is
 * a store of its own.
 */
public final class StoreSettings {
  /** The key of the directory in which there is a directory for every {@code dbid}. */
  public static final String DIRECTORY = Setting.DIRECTORY.key();

  /** The key that says whether the store is in this process or behind a server. */
  public static final String MODE = "bg3.mode";

  private static final String PREFIX = "bg3.";
  private static final String EMBEDDED = "embedded";
  private static final String REMOTE = "remote";

  private final Config config;

  /**
   * The settings in the configuration.
   *
   * @throws ConfigException if it does not say it right
   */
  public StoreSettings(Config config) {
    this.config = config;
    if (!isRemote()) {
      engine("any");
    }
  }

  /** Opens the store of a {@code dbid}. */
  public LinkDatabase open(String dbid) {
    if (!isRemote()) {
      return EngineDatabase.open(engine(dbid));
    }
    if (!dbid.equals(config.text("dbid"))) {
      throw new ConfigException(
          "a server has one store: dbid=" + dbid + ", there=" + config.text("dbid"));
    }
    return new RemoteDatabase(config);
  }

  private boolean isRemote() {
    String mode = config.text(MODE, EMBEDDED);
    if (!mode.equals(EMBEDDED) && !mode.equals(REMOTE)) {
      throw new ConfigException(
          "no such mode: key=" + MODE + ", value=" + mode + ", allowed=embedded, remote");
    }
    return mode.equals(REMOTE);
  }

  /** The key of the store of a {@code dbid} in this process. */
  String key(String dbid) {
    return isRemote()
        ? RemoteDatabase.address(config) + "/" + dbid
        : engine(dbid).text(Setting.DIRECTORY);
  }

  private Settings engine(String dbid) {
    if (!dbid.matches("[A-Za-z0-9_-]+")) {
      throw new ConfigException(
          "not a name for a store: dbid=" + dbid + ", allowed=letters, digits, _ and -");
    }
    Settings settings = Settings.defaults();
    for (String key : config.properties().stringPropertyNames()) {
      if (key.startsWith(PREFIX) && !key.equals(MODE) && !key.startsWith(RemoteDatabase.PREFIX)) {
        settings = with(settings, key, config.text(key));
      }
    }
    Path directory = Path.of(config.text(DIRECTORY)).resolve(dbid).toAbsolutePath().normalize();
    return settings.with(Setting.DIRECTORY, directory.toString());
  }

  private static Settings with(Settings settings, String key, String value) {
    try {
      return settings.with(key, value);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
  }
}
