package io.bg3.bench.gremlin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/**
 * JanusGraph with BerkeleyDB JE, embedded, on a disk; commits are written and not synced.
 *
 * <p>The schema is given when the graph is opened, because JanusGraph builds an index of existing
 * data by a job of minutes. It has every label and key of the works, the composite index, and the
 * vertex-centric indexes.
 */
final class JanusGraphSystem implements GraphSystem {
  private static final String SCHEMA = "janusgraph-schema.json";

  /** The settings that differ from JanusGraph's defaults. */
  private static final Map<String, String> SETTINGS = new LinkedHashMap<>();

  static {
    SETTINGS.put("storage.backend", "berkeleyje");
    // The data and JanusGraph's own cache share the heap. Neither evicts in a graph of the bench.
    SETTINGS.put("storage.berkeleyje.cache-percentage", "50");
    SETTINGS.put("storage.berkeleyje.isolation-level", "READ_COMMITTED");
    SETTINGS.put("storage.berkeleyje.ext.je.txn.durability", "WRITE_NO_SYNC,NO_SYNC,NONE");
    SETTINGS.put("cache.db-cache", "true");
    SETTINGS.put("cache.db-cache-size", "0.2");
    SETTINGS.put("cache.db-cache-time", "0");
    SETTINGS.put("cache.db-cache-clean-wait", "0");
    SETTINGS.put("ids.block-size", "1000000");
  }

  @Override
  public Graph open(Path directory, long memory) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty(Graph.GRAPH, "org.janusgraph.core.JanusGraphFactory");
    settings.setProperty("storage.directory", directory.resolve("janusgraph").toString());
    SETTINGS.forEach(settings::setProperty);
    settings.setProperty("schema.init.strategy", "json");
    settings.setProperty("schema.init.json.string", schema());
    return GraphFactory.open(settings);
  }

  private static String schema() {
    try (InputStream in = JanusGraphSystem.class.getResourceAsStream(SCHEMA)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schema: file=" + SCHEMA, e);
    }
  }

  @Override
  public void order(Graph graph, String label, String key) {}

  @Override
  public void index(Graph graph, String label, String key) {}

  @Override
  public String settings() {
    return "on a disk, "
        + String.join(", ", SETTINGS.entrySet().stream().map(Object::toString).toList())
        + "; composite index on code, vertex-centric indexes on time";
  }
}
