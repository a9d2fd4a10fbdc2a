package io.bg3.bench.gremlin;

import java.lang.reflect.Method;
import java.nio.file.Path;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/**
 * ArcadeDB, embedded, on a disk; commits are written to its log and not synced.
 *
 * <p>The build has no class of ArcadeDB, so SQL is sent to it by reflection.
 */
final class ArcadeDbSystem implements GraphSystem {
  @Override
  public Graph open(Path directory, long memory) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty(Graph.GRAPH, "com.arcadedb.gremlin.ArcadeGraph");
    settings.setProperty("gremlin.arcadedb.directory", directory.resolve("arcadedb").toString());
    return GraphFactory.open(settings);
  }

  @Override
  public void order(Graph graph, String label, String key) {}

  @Override
  public void index(Graph graph, String label, String key) {
    sql(graph, "CREATE PROPERTY " + label + "." + key + " STRING");
    sql(graph, "CREATE INDEX ON " + label + " (" + key + ") NOTUNIQUE");
  }

  private static void sql(Graph graph, String text) {
    try {
      Method database = graph.getClass().getMethod("getDatabase");
      database
          .getReturnType()
          .getMethod("command", String.class, String.class, Object[].class)
          .invoke(database.invoke(graph), "sql", text, new Object[0]);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("ArcadeDB refused a command: sql=" + text, e);
    }
  }

  @Override
  public String settings() {
    return "on a disk, arcadedb.txWAL=true, arcadedb.txWalFlush=0 (its defaults); index on code";
  }
}
