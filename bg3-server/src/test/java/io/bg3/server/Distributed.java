package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.features.TestFiles;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** One of TinkerPop's toy graphs in a store, a server of the distribution, and one client. */
final class Distributed implements AutoCloseable {
  private final Path directory;
  private final Launched process;
  private final Cluster cluster;

  /**
   * Loads the graph and starts the server; returns when it listens.
   *
   * @param data the graph, null for an empty one
   */
  Distributed(GraphData data) {
    try {
      directory = Files.createTempDirectory(data == null ? "scratch" : data.name());
      int port = ServedFixture.freePort();
      Configuration settings = settings(data);
      Path config = Files.write(directory.resolve("bg3.properties"), lines(settings));
      settings.setProperty("bg3.directory", store().toString());
      load(settings, data);
      process =
          Launched.bg3(
                  "server",
                  "--data",
                  store().toString(),
                  "--port",
                  Integer.toString(port),
                  "--config",
                  config.toString())
              .awaitListening();
      cluster = ServedFixture.client(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a server started", e);
    }
  }

  /** The settings that TinkerPop's scenarios expect: ids that are integers, lists in the crew. */
  private static Configuration settings(GraphData data) {
    Configuration settings = new BaseConfiguration();
    settings.setProperty("bg3.graph.ids", "integer");
    if (data == GraphData.CREW) {
      settings.setProperty("bg3.graph.cardinality", "list");
    }
    return settings;
  }

  /** The settings and limits that are longer than a machine may pause. */
  private static List<String> lines(Configuration settings) {
    List<String> lines = new ArrayList<>();
    settings.getKeys().forEachRemaining(key -> lines.add(key + "=" + settings.getString(key)));
    lines.add("server.handshake.timeout=120000");
    lines.add("server.evaluation.timeout=300000");
    return lines;
  }

  private static void load(Configuration settings, GraphData data) {
    try (Bg3Graph graph = Bg3Graph.open(settings)) {
      if (data != null) {
        graph.traversal().io(TestFiles.getInputLocation(data, false)).read().iterate();
        graph.tx().commit();
      }
    }
  }

  private Path store() {
    return directory.resolve("store");
  }

  GraphTraversalSource g() {
    return ServedFixture.source(cluster);
  }

  @Override
  public void close() {
    cluster.close();
    process.terminate();
    try (Stream<Path> files = Files.walk(directory)) {
      process.awaitExit();
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a server stopped", e);
    }
  }
}
