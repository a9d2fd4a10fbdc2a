package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types into {@code bin/bg3 console} what its users type, and reads what it prints.
 *
 * <p>Takes about 30 s, most of it starts of the Groovy console: it is the only test of the console
 * as users run it. It has no longer form.
 */
class ConsoleIT {
  @TempDir private Path directory;

  @Test
  void worksOnAStoreOfItsOwnAndThenOnAServer() throws Exception {
    embedded();
    int port = ServedFixture.freePort();
    try (Launched server = Launched.bg3(Launched.patientServer(store(), port))) {
      server.awaitListening();
      remote(port);
      Cluster cluster = ServedFixture.client(port);
      GraphTraversalSource g = ServedFixture.source(cluster);
      assertEquals(List.of("Ada", "Bob"), g.V().values("name").order().toList());
      cluster.close();
    }
  }

  /** A script that adds, commits and counts, and ends with 0. */
  private void embedded() throws Exception {
    Path script =
        Files.writeString(
            directory.resolve("add.groovy"),
            """
            graph = Bg3Graph.open("%s")
            g = graph.traversal()
            g.addV("person").property("name", "Ada").iterate()
            graph.tx().commit()
            println "there are " + g.V().count().next()
            graph.close()
            """
                .formatted(store()));
    try (Launched console = Launched.bg3("console", "-Q", "-e", script.toString())) {
      assertEquals(0, console.awaitExit(), console.output());
      assertTrue(console.output().contains("there are 1"), console.output());
    }
  }

  /** Lines on the standard input: the server has what the script added, a graph in memory not. */
  private void remote(int port) throws Exception {
    Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    Path configuration = directory.resolve("remote.yaml");
    Files.writeString(
        configuration,
        Files.readString(root.resolve("conf/remote.yaml")).replace("8182", Integer.toString(port))
            + "\nconnectionPool: { maxWaitForConnection: 120000,"
            + " connectionSetupTimeoutMillis: 120000 }\n");
    Path lines =
        Files.writeString(
            directory.resolve("lines"),
            """
            :plugin list
            :remote connect tinkerpop.server %s
            :> g.V().values("name")
            :> g.addV("person").property("name", "Bob").values("name")
            graph = Bg3Graph.open()
            "here: " + graph.traversal().V().count().next()
            :exit
            """
                .formatted(configuration));
    try (Launched console = Launched.fed(lines, "console", "-Q", "-C")) {
      assertEquals(0, console.awaitExit(), console.output());
      String printed = console.output();
      assertTrue(printed.contains("==>bg3.graph[active]"), printed);
      assertTrue(printed.contains("==>Ada\n"), printed);
      assertTrue(printed.contains("==>Bob\n"), printed);
      assertTrue(printed.contains("==>here: 0"), printed);
    }
  }

  @Test
  void endsWithOneAtTheFirstErrorInAPipe() throws Exception {
    Path lines =
        Files.writeString(directory.resolve("failing"), "1 + 1\nnonsense()\n40 + 2\n\"never\"\n");
    try (Launched console = Launched.fed(lines, "console", "-Q", "-C")) {
      assertEquals(1, console.awaitExit(), console.output());
      String printed = console.output();
      assertTrue(printed.contains("==>2\n"), printed);
      assertFalse(printed.contains("==>42"), printed);
      assertTrue(printed.endsWith("bg3: the console ended at an error: line=2"), printed);
    }
  }

  private Path store() {
    return directory.resolve("store");
  }
}
