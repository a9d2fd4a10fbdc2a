package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Talks to a server in this process through TinkerPop's driver, as an application would.
 *
 * <p>Takes about 15 s, most of it waits for time-outs: it covers the requests of an ordinary
 * client. It has no longer form.
 */
class Bg3ServerIT {
  private static final String PROBE = "java.lang.System.setProperty('bg3.test.probe', 'ran')";

  private static ServedFixture served;
  private static ServedFixture hasty; // gives queries two seconds

  @BeforeAll
  static void start() throws Exception {
    served = new ServedFixture(Bg3Graph.open(), Map.of("server.evaluation.timeout", "60000"));
    hasty = new ServedFixture(Bg3Graph.open(), Map.of("server.evaluation.timeout", "2000"));
  }

  @AfterAll
  static void stop() {
    hasty.close();
    served.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"GRAPHBINARY_V1", "GRAPHSON_V2", "GRAPHSON_V3"})
  void answersInEveryFormatThatDriversSpeak(Serializers serializer) {
    Cluster cluster = ServedFixture.client(served.port(), serializer);
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      String label = "format" + serializer;
      g.addV(label).property("n", 7).iterate();
      assertEquals(List.of(7), g.V().hasLabel(label).values("n").toList());
    } finally {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gremlin-groovy", "groovy", "gremlin-lang"})
  void takesEveryLanguageForGremlinLang(String language) throws Exception {
    Client client = served.cluster().connect();
    assertEquals(1L, submit(client, language, "g.inject(1).count()"));
    assertThrows(ExecutionException.class, () -> submit(client, language, PROBE));
    assertNull(System.getProperty("bg3.test.probe"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gremlin-groovy", "groovy"})
  void runsNoGroovyInsideASession(String language) throws Exception {
    Client client = served.cluster().connect("session-" + language);
    assertEquals(1L, submit(client, language, "g.inject(1).count()"));
    assertThrows(ExecutionException.class, () -> submit(client, language, PROBE));
    assertNull(System.getProperty("bg3.test.probe"));
    client.close();
  }

  @Test
  void refusesLambdasAtAnyDepth() {
    GraphTraversalSource g = served.g();
    assertRefused(() -> g.inject(1).map(Lambda.function("it.get()")).toList());
    assertRefused(
        () ->
            g.inject(1)
                .local(__.map(Lambda.<Traverser<Object>, Object>function("it.get()")))
                .toList());
  }

  @Test
  void refusesToTouchFiles(@TempDir Path directory) {
    Path target = directory.resolve("out.json");
    assertRefused(() -> served.g().io(target.toString()).write().iterate());
    Client client = served.cluster().connect();
    for (String text :
        List.of(
            "g.io('" + target + "').write()",
            "g . io ( '" + target + "' ) . write()",
            "g.inject(1);g.io('/etc/hostname').read()")) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> submit(client, "none", text));
      assertEquals(ResponseStatusCode.FORBIDDEN, code(refused), text);
    }
    assertTrue(Files.notExists(target));
  }

  @Test
  void interruptsAQueryOverItsTimeAndLivesOn() {
    GraphTraversalSource g = served.g();
    Exception late =
        assertThrows(Exception.class, () -> endless(g.with("evaluationTimeout", 2_000L)));
    assertEquals(ResponseStatusCode.SERVER_ERROR_TIMEOUT, code(late));
    assertEquals(1L, g.inject(1).count().next());
  }

  @Test
  void cutsTheTimeThatARequestAsksFor() {
    for (long asked : new long[] {600_000, 0, -1}) {
      long start = System.nanoTime();
      Exception late =
          assertThrows(Exception.class, () -> endless(hasty.g().with("evaluationTimeout", asked)));
      assertEquals(ResponseStatusCode.SERVER_ERROR_TIMEOUT, code(late));
      assertTrue(System.nanoTime() - start < 600e9);
    }
  }

  @Test
  void refusesATextThatAsksForMoreTime() throws Exception {
    Client client = served.cluster().connect();
    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () -> submit(client, "none", "g.with('evaluationTimeout', 600000).inject(1)"));
    assertEquals(ResponseStatusCode.FORBIDDEN, code(refused));
    assertEquals(1, submit(client, "none", "g.with('evaluationTimeout', 50000).inject(1)"));
  }

  @Test
  void keepsATransactionApartUntilItIsCommitted() {
    GraphTraversalSource g = served.g();
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("tx").iterate();
    inside.addV("tx").iterate();
    assertEquals(2L, inside.V().hasLabel("tx").count().next());
    assertEquals(0L, g.V().hasLabel("tx").count().next());
    tx.commit();
    assertEquals(2L, g.V().hasLabel("tx").count().next());
  }

  @Test
  void forgetsWhatIsRolledBack() {
    GraphTraversalSource g = served.g();
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("back").iterate();
    tx.rollback();
    assertEquals(0L, g.V().hasLabel("back").count().next());
  }

  @Test
  void rollsBackAQueryThatFails() {
    GraphTraversalSource g = served.g();
    assertThrows(CompletionException.class, () -> g.addV("failing").fail("on purpose").iterate());
    assertEquals(0L, g.V().hasLabel("failing").count().next());
  }

  @Test
  void saysWhichPortIsTaken() throws Exception {
    ListenException taken =
        assertThrows(
            ListenException.class,
            () ->
                Bg3Server.start(
                    ServerSettings.of(Map.of("server.port", Integer.toString(served.port()))),
                    Bg3Graph.open()));
    assertEquals("cannot listen: host=127.0.0.1, port=" + served.port(), taken.getMessage());
    assertEquals(1L, served.g().inject(1).count().next());
  }

  private static void endless(GraphTraversalSource g) {
    g.inject(1).repeat(__.identity()).until(__.is(-1)).iterate();
  }

  private static Object submit(Client client, String language, String text) throws Exception {
    RequestOptions.Builder options = RequestOptions.build();
    if (!language.equals("none")) {
      options.language(language);
    }
    return client.submit(text, options.create()).all().get().get(0).getObject();
  }

  private static void assertRefused(Runnable query) {
    Exception refused = assertThrows(Exception.class, query::run);
    assertEquals(ResponseStatusCode.FORBIDDEN, code(refused));
  }

  private static ResponseStatusCode code(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ResponseException response) {
        return response.getResponseStatusCode();
      }
    }
    throw new AssertionError("not an answer of the server", failure);
  }
}
