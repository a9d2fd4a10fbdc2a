package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.graph.GraphCheck;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.apache.tinkerpop.gremlin.util.iterator.StoreIteratorCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of threads, of dead threads and of many threads; conflicts; what outlives them. */
class Bg3TransactionTest {
  @TempDir Path directory;
  private Bg3Graph graph;

  @BeforeEach
  void open() {
    StoreIteratorCounter.INSTANCE.reset();
    graph = new StoreDirectory(directory).open();
  }

  @AfterEach
  void close() {
    if (!graph.isClosed()) {
      graph.tx().rollback();
      assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
      graph.close();
    }
    assertEquals(0, StoreIteratorCounter.INSTANCE.getOpenIteratorCount());
  }

  private static void inThread(Runnable work) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    Thread thread = new Thread(work);
    thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
    thread.start();
    thread.join();
    assertEquals(List.of(), failures);
  }

  @Test
  void aConflictIsTemporaryAndEndsTheTransaction() throws InterruptedException {
    Vertex v = graph.addVertex("n", 0);
    graph.tx().commit();
    v.property("n", (int) v.value("n") + 1);
    inThread(
        () -> {
          v.property("n", (int) v.value("n") + 10);
          graph.tx().commit();
        });
    TransactionException e = assertThrows(TransactionException.class, () -> graph.tx().commit());
    assertTrue(e instanceof TemporaryException, e.toString());
    assertFalse(graph.tx().isOpen());
    assertEquals(10, (int) v.value("n"));
  }

  @Test
  void addingEdgesAndChangingTheirEndsDoNotConflict() throws InterruptedException {
    Vertex a = graph.addVertex();
    Vertex b = graph.addVertex();
    graph.tx().commit();
    a.addEdge("knows", b);
    inThread(
        () -> {
          a.property("name", "marko");
          a.addEdge("knows", b);
          b.addEdge("knows", a);
          graph.tx().commit();
        });
    graph.tx().commit();
    assertEquals(3, IteratorUtils.count(graph.edges()));
    assertEquals(3, IteratorUtils.set(IteratorUtils.map(graph.edges(), Edge::id)).size());
  }

  @Test
  void anEdgeIsNeverLeftWithoutAnEnd() throws Exception {
    long seed = Seeds.one();
    for (int i = 0; i < 20; i++) {
      graph.addVertex(T.id, i);
    }
    graph.tx().commit();
    AtomicInteger committed = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> clients = new ArrayList<>();
    for (int client = 0; client < 4; client++) {
      Random random = new Random(seed + client);
      clients.add(pool.submit(() -> addAndDrop(random, committed)));
    }
    for (Future<?> client : clients) {
      client.get();
    }
    pool.shutdown();
    assertTrue(committed.get() > 100, "seed=" + seed + ", committed=" + committed);
  }

  private void addAndDrop(Random random, AtomicInteger committed) {
    for (int i = 0; i < 200; i++) {
      try {
        int drop = random.nextInt(20);
        if (random.nextInt(3) == 0) {
          graph.vertices(drop).forEachRemaining(Vertex::remove);
          if (random.nextBoolean()) {
            graph.addVertex(T.id, drop);
          }
        } else {
          List<Vertex> ends =
              IteratorUtils.list(graph.vertices(random.nextInt(20), random.nextInt(20)));
          if (ends.size() == 2) {
            ends.get(0).addEdge("l" + random.nextInt(3), ends.get(1), "n", i);
          } else {
            IteratorUtils.iterate(graph.edges());
            graph.addVertex(T.id, drop);
          }
        }
        graph.tx().commit();
        committed.incrementAndGet();
      } catch (Bg3ConflictException | IllegalArgumentException | IllegalStateException e) {
        graph.tx().rollback();
      }
    }
  }

  @Test
  void transactionsOfDeadThreadsAreRolledBack() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      inThread(
          () -> {
            graph.addVertex();
            graph.vertices().next();
          });
    }
    Bg3Transaction transactions = (Bg3Transaction) graph.tx();
    assertTrue(transactions.count() <= 10);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (transactions.count() + StoreIteratorCounter.INSTANCE.getOpenIteratorCount() > 0
        && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertEquals(0, transactions.count());
    assertEquals(0, StoreIteratorCounter.INSTANCE.getOpenIteratorCount());
    assertEquals(0, IteratorUtils.count(graph.vertices()));
  }

  @Test
  void closingDoesNotWaitForTransactionsThatAreOpen() throws InterruptedException {
    inThread(() -> graph.addVertex());
    graph.addVertex();
    graph.close();
    graph.close();
    assertTrue(graph.features().graph().supportsTransactions());
    assertThrows(IllegalStateException.class, () -> graph.addVertex());
    graph = new StoreDirectory(directory).open();
    assertFalse(graph.vertices().hasNext());
  }

  @Test
  void elementsOutliveTransactionsAndThreads() throws InterruptedException {
    Vertex v = graph.addVertex(T.id, "v", "name", "a");
    Edge e = v.addEdge("self", v, "weight", 1);
    graph.tx().commit();
    v.property("name", "b");
    e.property("weight", 2);
    inThread(
        () -> {
          assertEquals("a", v.value("name"));
          assertEquals(1, (int) e.value("weight"));
        });
    graph.tx().rollback();
    assertEquals("a", v.value("name"));
    v.remove();
    graph.tx().commit();
    assertFalse(v.property("name").isPresent());
    assertFalse(e.property("weight").isPresent());
    assertThrows(IllegalStateException.class, () -> v.property("name", "c"));
    assertThrows(IllegalStateException.class, () -> v.addEdge("self", v));
    v.remove();
    e.remove();
  }

  @Test
  void manyThreadsShareAThreadedTransaction() throws InterruptedException {
    Graph threaded = graph.tx().createThreadedTx();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 50; j++) {
                  Vertex v = threaded.addVertex("n", j);
                  v.addEdge("self", v);
                  IteratorUtils.iterate(threaded.vertices());
                }
              });
      thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    assertEquals(400, threaded.traversal().V().count().next());
    assertEquals(0, graph.traversal().V().count().next());
    graph.tx().rollback();
    threaded.tx().commit();
    assertEquals(400, graph.traversal().E().count().next());
    assertThrows(IllegalStateException.class, threaded::addVertex);
  }

  @Test
  void aCommitThatFailsTellsListenersOfARollback() throws InterruptedException {
    Vertex v = graph.addVertex("n", 0);
    graph.tx().commit();
    List<Transaction.Status> told = new ArrayList<>();
    graph.tx().addTransactionListener(told::add);
    v.property("n", (int) v.value("n") + 1);
    inThread(
        () -> {
          v.property("n", 5);
          graph.tx().commit();
        });
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
    graph.addVertex();
    graph.tx().commit();
    assertEquals(List.of(Transaction.Status.ROLLBACK, Transaction.Status.COMMIT), told);
    graph.tx().clearTransactionListeners();
  }

  @Test
  void aGraphIsClosedAlsoWhenTheLastCommitFails() throws InterruptedException {
    Vertex v = graph.addVertex("n", 0);
    graph.tx().commit();
    graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.COMMIT);
    v.property("n", (int) v.value("n") + 1);
    inThread(
        () -> {
          v.property("n", 5);
          graph.tx().commit();
        });
    assertThrows(Bg3ConflictException.class, () -> graph.close());
    assertTrue(graph.isClosed());
    graph = new StoreDirectory(directory).open();
    assertEquals(5, (int) graph.vertices().next().value("n"));
  }

  @Test
  void aGraphThatMustNotBeClosedWithATransactionStaysOpen() {
    graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.MANUAL);
    graph.addVertex();
    assertThrows(IllegalStateException.class, () -> graph.close());
    assertFalse(graph.isClosed());
    graph.tx().commit();
    graph.close();
    assertTrue(graph.isClosed());
  }

  @Test
  void aThreadedTransactionEndsWithItsGraph() {
    Graph threaded = graph.tx().createThreadedTx();
    threaded.addVertex("n", 1);
    graph.close();
    assertThrows(Bg3TransactionEndedException.class, threaded::addVertex);
    graph = new StoreDirectory(directory).open();
    assertFalse(graph.vertices().hasNext());
  }

  @Test
  void manualTransactionsMustBeOpened() {
    graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.MANUAL);
    assertThrows(IllegalStateException.class, () -> graph.addVertex());
    assertThrows(IllegalStateException.class, () -> graph.tx().commit());
    GraphTraversalSource g = graph.tx().begin();
    g.addV().iterate();
    graph.tx().commit();
    graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.AUTO);
    assertEquals(1, graph.traversal().V().count().next());
  }

  @Test
  void theGuardIsToldWhetherNothingOfACommitHasHappened() throws Exception {
    List<String> told = new ArrayList<>();
    graph.guardCommits(
        new CommitGuard() {
          @Override
          public void beforeCommit() {}

          @Override
          public void afterCommit() {
            told.add("commit");
          }

          @Override
          public void afterNothing() {
            told.add("nothing");
          }

          @Override
          public void beforeServiceWrites() {}
        });
    Vertex vertex = graph.addVertex();
    graph.tx().commit();
    vertex.property("name", "a");
    Together.run(
        1,
        thread -> {
          graph.vertices(vertex.id()).next().property("name", "b");
          graph.tx().commit();
        });
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
    assertEquals(List.of("commit", "commit", "nothing"), told);
    graph.addVertex();
    Waiting.forbid();
    try {
      assertThrows(WouldWaitException.class, () -> vertex.property("a new key", 1));
    } finally {
      Waiting.allow();
    }
    graph.tx().rollback();
    assertEquals("b", graph.traversal().V().values("name").next());
    graph.tx().rollback();
    told.clear();
    for (int i = 0; i < 300; i++) { // more than a thread commits that may not wait
      graph.addVertex();
    }
    Waiting.forbid();
    try {
      Throwable failure = assertThrows(RuntimeException.class, () -> graph.tx().commit());
      assertTrue(failure.getCause() instanceof WouldWaitException, failure::toString);
    } finally {
      Waiting.allow();
    }
    assertEquals(List.of("nothing"), told);
    assertEquals(1, graph.traversal().V().count().next());
  }

  @Test
  void aCommitThatMayNotWaitForTheDiskLeavesTheTransactionOpen() {
    graph.guardCommits(
        new CommitGuard() {
          @Override
          public void beforeCommit() {}

          @Override
          public Optional<CommitListener> beforeWait() {
            throw new IllegalStateException("planned");
          }

          @Override
          public void afterCommit() {}

          @Override
          public void beforeServiceWrites() {}
        });
    graph.addVertex();
    assertThrows(IllegalStateException.class, () -> graph.tx().commit());
    assertTrue(graph.tx().isOpen());
    graph.tx().rollback();
    assertFalse(graph.tx().isOpen());
    assertFalse(graph.vertices().hasNext());
  }
}
