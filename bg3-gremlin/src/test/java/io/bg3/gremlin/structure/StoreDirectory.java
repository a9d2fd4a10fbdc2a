package io.bg3.gremlin.structure;

import java.nio.file.Path;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;

/** A store of a test: a directory that the test owns, opened with the cheapest durability. */
final class StoreDirectory {
  private final Path path;

  StoreDirectory(Path path) {
    this.path = path;
  }

  Bg3Graph open() {
    return Bg3Graph.open(configuration());
  }

  Configuration configuration() {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty("bg3.directory", path.toString());
    configuration.setProperty("bg3.durability", "none");
    return configuration;
  }
}
