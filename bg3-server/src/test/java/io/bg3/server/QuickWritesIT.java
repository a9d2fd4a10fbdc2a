package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.CommitGuard;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Short writes, which event loops run as soon as their like has been short for a while, and those
 * that loops leave to workers: each that is answered has happened once, and no other has.
 */
class QuickWritesIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int WARM = 20;
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 1_500;

  private int figures;

  private ServedFixture serve(Graph graph) throws Exception {
    figures = ServedFixture.freePort();
    return new ServedFixture(
        graph,
        Map.of(
            "server.metrics.prometheus.port",
            Integer.toString(figures),
            "server.quick.reads",
            "100000", // whatever the compilers of the virtual machine have done
            "server.shutdown.grace",
            "120000"));
  }

  private double figure(String name) throws Exception {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + figures + "/metrics")).build();
    String page = HTTP.send(ask, HttpResponse.BodyHandlers.ofString()).body();
    return page.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in\n" + page));
  }

  private double quick() throws Exception {
    return figure("bg3_server_queries_quick_total");
  }

  /** Adds vertices until event loops do; how many it has added. */
  private int warm(GraphTraversalSource g) throws Exception {
    double before = quick();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    int added = 0;
    while (quick() - before < WARM) {
      assertTrue(System.nanoTime() < end, "event loops run no such query");
      for (int i = 0; i < WARM; i++) {
        assertEquals("item", add(g, "warm"));
        added++;
      }
    }
    return added;
  }

  private static String add(GraphTraversalSource g, String name) {
    return g.addV("item").property("name", name).label().next();
  }

  @Test
  void shortWritesAreRunByEventLoopsAndCountedOnce() throws Exception {
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      int added = warm(g);
      String queries = "bg3_server_queries_seconds_count{outcome=\"success\"}";
      double queriesBefore = figure(queries);
      double quickBefore = quick();
      for (int i = 0; i < 100; i++) {
        assertEquals("item", add(g, "more"));
      }
      assertEquals(100, figure(queries) - queriesBefore);
      assertTrue(quick() > quickBefore);
      assertEquals(added + 100, g.V().hasLabel("item").count().next());
    }
  }

  /** A new label takes a commit of its own, which may wait. */
  @Test
  void whatMayWaitIsDoneOnceByAWorker() throws Exception {
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      int added = warm(g);
      String errors = "bg3_server_queries_seconds_count{outcome=\"error\"}";
      double errorsBefore = figure(errors);
      for (int i = 0; i < 30; i++) {
        String label = "label" + i;
        assertEquals(label, g.addV(label).property("name", "x").label().next());
        assertEquals("item", add(g, "x".repeat(i * 20)));
      }
      assertEquals(errorsBefore, figure(errors));
      assertEquals(added + 60, g.V().count().next());
      assertEquals(31, g.V().label().dedup().count().next());
    }
  }

  /**
   * Requests of this kind and length are run by event loops. While another thread has the lock of
   * the vertex, the loop leaves the commit to a worker, and all event loops serve their clients.
   */
  @Test
  void aCommitThatWouldWaitForALockIsDoneOnceByAWorkerWhileTheLoopGoesOn() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CompletableFuture<Void> free = new CompletableFuture<>();
    List<Cluster> others = new ArrayList<>();
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      addWithId(g, 1L);
      addWithId(g, 2L);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      double first = quick();
      for (int i = 0; quick() - first < WARM; i++) {
        assertTrue(System.nanoTime() < end, "event loops run no such query");
        rename(g, i % 2 == 0 ? "one" : "two");
      }
      String errors = "bg3_server_queries_seconds_count{outcome=\"error\"}";
      double errorsBefore = figure(errors);
      double quickBefore = quick();
      CompletableFuture<Void> held = new CompletableFuture<>();
      Future<Object> holder =
          threads.submit(
              () ->
                  graph
                      .graphStore()
                      .update(
                          1,
                          in -> {
                            held.complete(null);
                            return free.join();
                          }));
      held.join();
      Future<?> renaming = threads.submit(() -> rename(g, "end"));
      for (int i = 0; i < CLIENTS; i++) {
        Cluster other = ServedFixture.client(served.port());
        others.add(other);
        assertEquals("n", ServedFixture.source(other).V(2L).values("name").next());
      }
      assertFalse(renaming.isDone());
      free.complete(null);
      holder.get();
      renaming.get();
      assertEquals(quickBefore, quick());
      assertEquals(errorsBefore, figure(errors));
      assertEquals(List.of("end"), g.V(1L).values("name").toList());
    } finally {
      free.complete(null);
      threads.shutdownNow();
      others.forEach(Cluster::close);
    }
  }

  private static void rename(GraphTraversalSource g, String name) {
    g.V(1L).property("name", name).iterate();
  }

  @Test
  void anErrorIsTheSameAndWritesNothing() throws Exception {
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      g.addV("item").property(T.id, 1L).property("name", "taken").iterate();
      String first = assertThrows(CompletionException.class, () -> addWithId(g, 1L)).getMessage();
      double before = quick();
      long id = 2;
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (quick() == before) {
        assertTrue(System.nanoTime() < end, "event loops run no such query");
        addWithId(g, id++);
      }
      for (int i = 0; i < 10; i++) {
        assertEquals(
            first, assertThrows(CompletionException.class, () -> addWithId(g, 1L)).getMessage());
        addWithId(g, id++);
      }
      assertEquals(id - 1, g.V().count().next());
      assertEquals("taken", g.V(1L).values("name").next());
    }
  }

  private static void addWithId(GraphTraversalSource g, long id) {
    g.addV("item").property(T.id, id).property("name", "n").iterate();
  }

  private static BaseConfiguration synced(Path directory) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty("bg3.directory", directory.toString());
    settings.setProperty("bg3.durability", "sync");
    return settings;
  }

  @Test
  void commitsThatAreSyncedAreMadeByEventLoopsAndCountedOnce(@TempDir Path directory)
      throws Exception {
    int added;
    try (Bg3Graph graph = Bg3Graph.open(synced(directory));
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      added = warm(g);
      String queries = "bg3_server_queries_seconds_count{outcome=\"success\"}";
      double queriesBefore = figure(queries);
      double quickBefore = quick();
      for (int i = 0; i < 100; i++) {
        assertEquals("item", add(g, "more"));
      }
      assertEquals(100, figure(queries) - queriesBefore);
      assertTrue(quick() > quickBefore);
      assertEquals(0, figure("bg3_server_queries_running"));
      added += 100;
      assertEquals(added, g.V().hasLabel("item").count().next());
    }
    try (Bg3Graph graph = Bg3Graph.open(synced(directory))) {
      assertEquals(added, graph.traversal().V().hasLabel("item").count().next());
    }
  }

  /** Several threads send their requests by one connection, so writes of others wait meanwhile. */
  @Test
  void aReadBehindTheAnswerToAWriteSeesTheWrite(@TempDir Path directory) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (Bg3Graph graph = Bg3Graph.open(synced(directory));
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      int added = warm(g);
      double before = quick();
      List<Future<?>> running = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        String prefix = client + "-";
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    String name = prefix + i;
                    assertEquals("item", add(g, name));
                    assertEquals(1, g.V().has("item", "name", name).count().next());
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      assertTrue(quick() > before);
      assertEquals(added + CLIENTS * 100, g.V().count().next());
    } finally {
      threads.shutdownNow();
    }
  }

  /** For the server the disk fails when a commit is in the pages. */
  private static final class FailingSync implements CommitGuard {
    @Override
    public void beforeCommit() {
      assertTrue(RunningRequest.current().orElseThrow().beginsCommit());
    }

    @Override
    public Optional<CommitListener> beforeWait() {
      return RunningRequest.current()
          .flatMap(RunningRequest::commitsWithoutWaiting)
          .map(FailingSync::failing);
    }

    private static CommitListener failing(CommitListener server) {
      return new CommitListener() {
        @Override
        public void waits() {
          server.waits();
        }

        @Override
        public void visible() {
          server.unknown(new OutcomeUnknownException(7, new IOException("planned")));
        }

        @Override
        public void unknown(OutcomeUnknownException failure) {
          server.unknown(failure);
        }
      };
    }

    @Override
    public void afterCommit() {
      RunningRequest.current().orElseThrow().endsCommit();
    }

    @Override
    public void beforeServiceWrites() {}
  }

  @Test
  void aSyncThatFailsIsAnsweredWithTheErrorAlone(@TempDir Path directory) throws Exception {
    try (Bg3Graph graph = Bg3Graph.open(synced(directory));
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      int added = warm(g);
      graph.guardCommits(new FailingSync());
      String errors = "bg3_server_queries_seconds_count{outcome=\"error\"}";
      double before = figure(errors);
      double quickBefore = quick();
      int failed = 0;
      for (int i = 0; i < 50; i++) {
        try {
          assertEquals("item", add(g, "lost"));
        } catch (CompletionException e) {
          assertTrue(e.getMessage().contains("unknown"), e::getMessage);
          failed++;
        }
      }
      assertTrue(failed > 0);
      assertEquals(quick() - quickBefore, failed);
      assertEquals(failed, figure(errors) - before);
      assertEquals(added + 50, g.V().hasLabel("item").count().next());
    }
  }

  /** A stop comes while commits wait for the disk: those that are answered have happened. */
  @Test
  void aStopAnswersWhatWaitsForTheDisk(@TempDir Path directory) throws Exception {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    int added;
    try (Bg3Graph graph = Bg3Graph.open(synced(directory));
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      added = warm(g);
      for (int i = 0; i < 200; i++) {
        answers.add(
            g.addV("item").property("name", "end").label().promise(written -> written.next()));
      }
      answers.get(20).join();
      served.stop();
      long answered = 0;
      for (CompletableFuture<String> answer : answers) {
        answered += answer.handle((label, failure) -> failure == null).join() ? 1 : 0;
      }
      assertTrue(answered > 20);
      added += (int) answered;
    }
    try (Bg3Graph graph = Bg3Graph.open(synced(directory))) {
      assertEquals(added, graph.traversal().V().hasLabel("item").count().next());
    }
  }

  /**
   * Several clients add vertices and edges, by requests of which some make codes, some have values
   * that are written to the disk at once, and many write to the same vertex and conflict. The names
   * of the vertices say afterwards which requests have happened, and how often.
   */
  @ParameterizedTest
  @ValueSource(strings = {"none", "sync"})
  void eachRequestHappensOnceIfItIsAnsweredAndNeverIfItIsRefused(
      String durability, @TempDir Path directory) throws Exception {
    long seed = Seeds.one();
    BaseConfiguration settings = synced(directory);
    settings.setProperty("bg3.durability", durability);
    settings.setProperty("bg3.value.threshold", "512"); // a request in a loop has 1 KiB at most
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (Bg3Graph graph = Bg3Graph.open(settings);
        ServedFixture served = serve(graph)) {
      GraphTraversalSource g = served.g();
      g.addV("hot").property(T.id, "hot").property("last", "").iterate();
      List<Future<List<String>>> running = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Random random = new Random(seed + client);
        String prefix = client + "-";
        running.add(threads.submit(() -> ask(served.port(), random, prefix)));
      }
      List<String> answered = new ArrayList<>();
      for (Future<List<String>> each : running) {
        answered.addAll(each.get());
      }
      List<Object> there = g.V().hasLabel("item").values("name").toList();
      assertEquals(
          answered.stream().sorted().toList(),
          there.stream().map(String::valueOf).sorted().toList(),
          Seeds.say(seed));
      assertEquals((long) answered.size(), g.V("hot").out("has").count().next(), Seeds.say(seed));
      assertTrue(quick() > 0);
      assertFalse(answered.isEmpty());
    } finally {
      threads.shutdownNow();
    }
  }

  /** The names of the vertices that requests have added which were answered. */
  private static List<String> ask(int port, Random random, String prefix) {
    List<String> answered = new ArrayList<>();
    Cluster cluster = ServedFixture.client(port);
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      for (int i = 0; i < REQUESTS; i++) {
        String name = prefix + i;
        String key = random.nextInt(50) == 0 ? "key" + name : "key";
        String value = random.nextInt(100) == 0 ? "x".repeat(800) : "x";
        boolean isHot = random.nextInt(4) == 0;
        try {
          var added = g.V("hot");
          if (isHot) {
            added = added.property("last", name);
          }
          added
              .as("hot")
              .addV("item")
              .property("name", name)
              .property(key, value)
              .addE("has")
              .from(__.select("hot"))
              .iterate();
          answered.add(name);
        } catch (CompletionException e) {
          assertTrue(String.valueOf(e.getMessage()).contains("conflict"), e::toString);
        }
      }
    } finally {
      cluster.close();
    }
    return answered;
  }
}
