package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The services of links and nodes through a server, past its guard, with TinkerPop's driver.
 *
 * <p>Takes about 9 s: it covers every service through the guard and the driver. It has no longer
 * form.
 */
class LinkServicesIT {
  private ServedFixture served;

  @BeforeEach
  void start() throws Exception {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    served = new ServedFixture(graph, Map.of());
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private static List<Object> call(GraphTraversalSource g, String service, Object... parameters) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      map.put(parameters[i], parameters[i + 1]);
    }
    return g.call("bg3." + service, map).toList();
  }

  private static Object add(GraphTraversalSource g, long target, long time) {
    Map<Object, Object> properties = Map.of("version", 3, "data", bytes());
    return call(
            g,
            "links.add",
            "label",
            "7",
            "source",
            1L,
            "target",
            target,
            "sortKey",
            time,
            "properties",
            properties)
        .get(0);
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.wrap(new byte[] {0, -1, 'x'});
  }

  private static void declare(GraphTraversalSource g) {
    call(g, "links.declare", "label", "7", "sortKey", "time", "loose", true, "counted", true);
  }

  @ParameterizedTest
  @EnumSource(
      value = Serializers.class,
      names = {"GRAPHBINARY_V1", "GRAPHSON_V3"})
  void linksAndNodesGoOverTheWireAsPlainValues(Serializers serializer) {
    Cluster cluster = ServedFixture.client(served.port(), serializer);
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      declare(g);
      assertEquals("absent", add(g, 5, 500));
      assertEquals("absent", add(g, 6, 600));
      assertEquals("visible", add(g, 5, 550));
      Map<Object, Object> properties = Map.of("version", 3, "data", bytes());
      assertEquals(
          List.of(List.of(6L, 600L, true, properties), List.of(5L, 550L, true, properties)),
          call(g, "links.list", "label", "7", "source", 1L, "limit", 10));
      assertEquals(List.of(2L), call(g, "links.count", "label", "7", "source", 1L));
      Map<Object, Object> node = Map.of("version", 1L, "time", 5, "data", bytes());
      List<Object> ids =
          call(g, "nodes.add", "nodes", List.of(List.of("2048", node), List.of("2048", node)));
      assertEquals(List.of(1L, 2L), ids);
      assertEquals(List.of(node), call(g, "nodes.get", "label", "2048", "id", 2L));
    } finally {
      cluster.close();
    }
  }

  @Test
  void manyClientsChangeOneLinkAndNoneIsRefused() {
    GraphTraversalSource g = served.g();
    declare(g);
    int clients = 16;
    int each = 20;
    List<Cluster> clusters = new ArrayList<>();
    try {
      List<CompletableFuture<Void>> all =
          IntStream.range(0, clients)
              .mapToObj(
                  client -> {
                    Cluster cluster = ServedFixture.client(served.port());
                    clusters.add(cluster);
                    GraphTraversalSource own = ServedFixture.source(cluster);
                    return CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < each; i++) {
                            add(own, 5, i);
                            add(own, 100L + client, i);
                          }
                        });
                  })
              .toList();
      all.forEach(CompletableFuture::join);
    } finally {
      clusters.forEach(Cluster::close);
    }
    assertEquals(List.of(clients + 1L), call(g, "links.count", "label", "7", "source", 1L));
    assertEquals(clients + 1, call(g, "links.list", "label", "7", "source", 1L).size());
  }

  @Test
  void aClientIsToldWhatIsWrong() {
    try {
      call(served.g(), "links.add", "label", "7", "source", 1L);
      throw new AssertionError("it was not refused");
    } catch (CompletionException e) {
      assertTrue(e.getMessage().contains("the label is not declared"), e.getMessage());
    }
  }
}
