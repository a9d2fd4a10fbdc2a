package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3TransactionEndedException.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.apache.tinkerpop.gremlin.util.iterator.StoreIteratorCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends the transactions of a thread behind its back, by closing the graph and by the age limit, and
 * lets the thread go on: it is told at every use until it acknowledges the end, and no half of its
 * work is committed.
 */
class EndedTransactionTest {
  /** Marks tests whose transactions grow too old; the others take as long as the machine does. */
  private static final String SHORT_LIVED = "short-lived";

  private static final long AGE_MILLIS = 1_000;

  @TempDir Path directory;
  private Bg3Graph graph;

  @BeforeEach
  void open(TestInfo test) {
    StoreIteratorCounter.INSTANCE.reset();
    Configuration configuration = new StoreDirectory(directory).configuration();
    if (test.getTags().contains(SHORT_LIVED)) {
      configuration.setProperty("bg3.transaction.age", Long.toString(AGE_MILLIS));
    }
    graph = Bg3Graph.open(configuration);
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
    assertEquals(0, StoreIteratorCounter.INSTANCE.getOpenIteratorCount());
  }

  private void closeInAnotherThread() throws InterruptedException {
    Thread closer = new Thread(graph::close);
    closer.start();
    closer.join();
    assertTrue(graph.isClosed());
  }

  /** Returns when the age limit has ended the calling thread's transaction. */
  private void outlive(OpenTransaction transaction) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!transaction.graph().isTooOld()) {
      assertTrue(System.nanoTime() < deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void assertEnded(Reason reason, Executable use) {
    Bg3TransactionEndedException e = assertThrows(Bg3TransactionEndedException.class, use);
    assertEquals(reason, e.reason());
  }

  private long countAfterReopening() {
    try (Bg3Graph again = new StoreDirectory(directory).open()) {
      return again.traversal().V().count().next();
    }
  }

  @Test
  void aCommitAfterAnotherThreadClosedTheGraphFails() throws InterruptedException {
    List<Transaction.Status> told = new ArrayList<>();
    graph.tx().addTransactionListener(told::add);
    graph.addVertex();
    closeInAnotherThread();
    assertTrue(graph.tx().isOpen(), "Gremlin Server commits only what is open");
    Bg3TransactionEndedException e =
        assertThrows(Bg3TransactionEndedException.class, () -> graph.tx().commit());
    assertEquals(Reason.GRAPH_CLOSED, e.reason());
    assertEquals(
        "the transaction was rolled back and nothing of it is committed; call rollback() and begin"
            + " again: reason=the graph was closed",
        e.getMessage());
    assertEquals(List.of(Transaction.Status.ROLLBACK), told);
    assertFalse(graph.tx().isOpen());
    IllegalStateException closed =
        assertThrows(IllegalStateException.class, () -> graph.tx().commit());
    assertTrue(closed.getMessage().startsWith("the graph is closed: "), closed.getMessage());
    assertEquals(0, countAfterReopening());
  }

  @Test
  void everyUseAfterTheGraphWasClosedFailsUntilTheRollback() throws InterruptedException {
    Vertex v = graph.addVertex("n", 1);
    graph.tx().commit();
    v.property("n", 2);
    Iterator<Vertex> vertices = graph.vertices();
    closeInAnotherThread();
    for (int i = 0; i < 2; i++) {
      assertEnded(Reason.GRAPH_CLOSED, () -> v.value("n"));
      assertEnded(Reason.GRAPH_CLOSED, () -> v.property("n", 3));
      assertEnded(Reason.GRAPH_CLOSED, vertices::hasNext);
      assertEnded(Reason.GRAPH_CLOSED, () -> graph.vertices());
      assertEnded(Reason.GRAPH_CLOSED, () -> graph.traversal().V().count().next());
      assertEnded(Reason.GRAPH_CLOSED, () -> graph.traversal().addV().iterate());
      assertEnded(Reason.GRAPH_CLOSED, () -> graph.tx().begin());
      assertThrows(IllegalStateException.class, () -> graph.tx().open());
    }
    graph.tx().rollback();
    assertFalse(graph.tx().isOpen());
    assertThrows(IllegalStateException.class, () -> graph.addVertex());
  }

  @Test
  void closingATransactionThatWasEndedDoesAsItsCloseBehaviourSays() throws InterruptedException {
    graph.addVertex();
    closeInAnotherThread();
    graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.MANUAL);
    assertThrows(IllegalStateException.class, () -> graph.tx().close());
    graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.COMMIT);
    assertEnded(Reason.GRAPH_CLOSED, () -> graph.tx().close());
    graph.tx().onClose(Transaction.CLOSE_BEHAVIOR.ROLLBACK);
    graph.tx().close();
    assertFalse(graph.tx().isOpen());
  }

  @Test
  @Tag(SHORT_LIVED)
  void aTransactionThatIsTooOldSaysSoAndTheNextIsWhole() throws InterruptedException {
    graph.addVertex("half", 1);
    outlive(graph.transaction());
    assertEnded(Reason.TOO_OLD, () -> graph.addVertex("half", 2));
    assertEnded(Reason.TOO_OLD, () -> graph.vertices());
    Bg3TransactionEndedException e =
        assertThrows(Bg3TransactionEndedException.class, () -> graph.tx().commit());
    assertTrue(e.getMessage().contains("bg3.transaction.age"), e.getMessage());
    assertFalse(graph.tx().isOpen());
    graph.addVertex("whole", 1);
    graph.tx().commit();
    assertEquals(List.of("whole"), graph.traversal().V().properties().key().toList());
  }

  @Test
  @Tag(SHORT_LIVED)
  void aThreadThatIgnoresTheErrorCommitsNoHalfOfItsWork() throws InterruptedException {
    graph.addVertex("n", 1);
    outlive(graph.transaction());
    for (int i = 2; i < 5; i++) {
      try {
        graph.addVertex("n", i);
      } catch (TransactionException e) {
        assertTrue(graph.tx().isOpen(), e.toString());
      }
    }
    assertEnded(Reason.TOO_OLD, () -> graph.tx().commit());
    assertEquals(0, IteratorUtils.count(graph.vertices()));
  }

  @Test
  @Tag(SHORT_LIVED)
  void aReadingTransactionThatIsTooOldIsNotCommittedEither() throws InterruptedException {
    IteratorUtils.iterate(graph.vertices());
    outlive(graph.transaction());
    assertEnded(Reason.TOO_OLD, () -> graph.tx().commit());
    graph.tx().commit(); // of nothing
  }

  @Test
  @Tag(SHORT_LIVED)
  void aReadThatIsUnderWayWhenTheLimitPassesSaysSo() throws InterruptedException {
    OpenTransaction reading = graph.transaction();
    outlive(reading);
    assertEnded(Reason.TOO_OLD, () -> reading.graph().findVertex(1L));
    assertEnded(Reason.TOO_OLD, () -> graph.tx().commit());
  }

  @Test
  @Tag(SHORT_LIVED)
  void aManualTransactionIsToldToo() throws InterruptedException {
    graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.MANUAL);
    graph.tx().open();
    graph.addVertex();
    outlive(graph.transaction());
    assertEnded(Reason.TOO_OLD, () -> graph.addVertex());
    assertEnded(Reason.TOO_OLD, () -> graph.tx().commit());
    assertThrows(IllegalStateException.class, () -> graph.tx().commit());
    graph.tx().onReadWrite(Transaction.READ_WRITE_BEHAVIOR.AUTO);
  }

  @Test
  void aThreadedTransactionWhoseGraphWasClosedIsNotCommitted() {
    Graph threaded = graph.tx().createThreadedTx();
    threaded.addVertex();
    graph.close();
    assertTrue(threaded.tx().isOpen());
    assertEnded(Reason.GRAPH_CLOSED, () -> IteratorUtils.iterate(threaded.vertices()));
    assertEnded(Reason.GRAPH_CLOSED, () -> threaded.tx().commit());
    assertFalse(threaded.tx().isOpen());
    IllegalStateException again =
        assertThrows(IllegalStateException.class, () -> threaded.tx().commit());
    assertTrue(
        again.getMessage().startsWith("the threaded transaction has ended"), again::getMessage);
    assertEquals(0, countAfterReopening());
  }

  @Test
  @Tag(SHORT_LIVED)
  void aThreadedTransactionThatIsTooOldIsNotCommitted() throws InterruptedException {
    Graph threaded = graph.tx().createThreadedTx();
    threaded.addVertex();
    outlive(((TransactionSource) threaded.tx()).current());
    assertEnded(Reason.TOO_OLD, threaded::addVertex);
    assertEnded(Reason.TOO_OLD, () -> threaded.tx().commit());
    assertEquals(0, IteratorUtils.count(graph.vertices()));
  }

  @Test
  void anIteratorOfAThreadThatIsGoneFailsInsteadOfEnding() throws InterruptedException {
    graph.addVertex();
    graph.addVertex();
    graph.tx().commit();
    List<Iterator<Vertex>> left = new ArrayList<>();
    Thread thread = new Thread(() -> left.add(graph.vertices()));
    thread.start();
    thread.join();
    ((Bg3Transaction) graph.tx()).endAbandoned();
    assertEnded(Reason.THREAD_ENDED, () -> left.get(0).hasNext());
  }

  @Test
  void anIteratorOfATransactionThatItsThreadEndedFailsInsteadOfEnding() {
    graph.addVertex();
    Iterator<Vertex> vertices = graph.vertices();
    graph.tx().commit();
    assertThrows(IllegalStateException.class, vertices::hasNext);
  }
}
