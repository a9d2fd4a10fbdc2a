package io.bg3.gremlin.process.computer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.Persist;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.ResultGraph;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.computer.Messenger;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.util.StaticVertexProgram;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.tinkergraph.process.computer.TinkerGraphComputer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a user may do wrong with a computer, what is written to the graph, when a computation and
 * its snapshot end, and how the numbers of vertices and the columns hold what they are given.
 */
class Bg3GraphComputerTest {
  private final Bg3Graph graph = Bg3Graph.open();

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private Bg3Graph withVertices(int count) {
    for (int i = 0; i < count; i++) {
      graph.addVertex("n", i);
    }
    graph.tx().commit();
    return graph;
  }

  /** Sets a property of each vertex, and does what a test wants with each. */
  private static class SetProgram extends StaticVertexProgram<Long> {
    static final String KEY = "computed";

    @Override
    public void setup(Memory memory) {}

    @Override
    public void execute(Vertex vertex, Messenger<Long> messenger, Memory memory) {
      vertex.property(VertexProperty.Cardinality.single, KEY, vertex.<Integer>value("n") + 1L);
    }

    @Override
    public boolean terminate(Memory memory) {
      return true;
    }

    @Override
    public Set<VertexComputeKey> getVertexComputeKeys() {
      return Set.of(VertexComputeKey.of(KEY, false));
    }

    @Override
    public Set<MessageScope> getMessageScopes(Memory memory) {
      return Set.of();
    }

    @Override
    public ResultGraph getPreferredResultGraph() {
      return ResultGraph.NEW;
    }

    @Override
    public Persist getPreferredPersist() {
      return Persist.EDGES;
    }
  }

  @Test
  void changesThatAreNotCommittedAreNotPassedOverInSilence() {
    graph.addVertex();
    GraphComputer computer = graph.compute().program(new SetProgram());
    String said = assertThrows(IllegalStateException.class, computer::submit).getMessage();
    assertTrue(said.startsWith("the thread has changes that are not committed"), said);
  }

  @Test
  void aThreadedTransactionIsNoGraphToComputeOn() {
    Graph threaded = graph.tx().createThreadedTx();
    assertThrows(IllegalStateException.class, threaded::compute);
    threaded.tx().rollback();
  }

  @Test
  void onlyTheComputerOfTheGraphComputes() {
    assertThrows(IllegalArgumentException.class, () -> graph.compute(TinkerGraphComputer.class));
  }

  @Test
  void workersAreOneToTheNumberOfProcessors() {
    int most = graph.compute().features().getMaxWorkers();
    for (int workers : List.of(-1, 0, most + 1)) {
      GraphComputer computer = graph.compute().program(new SetProgram()).workers(workers);
      String said = assertThrows(IllegalArgumentException.class, computer::submit).getMessage();
      assertTrue(said.contains("" + workers), said);
    }
  }

  @Test
  void whatAProgramThrowsIsWhatTheResultThrows() {
    withVertices(100);
    SetProgram failing =
        new SetProgram() {
          @Override
          public void execute(Vertex vertex, Messenger<Long> messenger, Memory memory) {
            vertex.property("undeclared", 1);
          }
        };
    Future<ComputerResult> running = graph.compute().program(failing).submit();
    ExecutionException thrown = assertThrows(ExecutionException.class, running::get);
    assertEquals(
        GraphComputer.Exceptions.providedKeyIsNotAnElementComputeKey("undeclared").getMessage(),
        thrown.getCause().getMessage());
    assertEquals(0, graph.stats().openTransactions());
  }

  @Test
  void aGraphThatIsClosedEndsAComputation() throws Exception {
    withVertices(10);
    CountDownLatch closed = new CountDownLatch(1);
    SetProgram waiting =
        new SetProgram() {
          @Override
          public void execute(Vertex vertex, Messenger<Long> messenger, Memory memory) {
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            super.execute(vertex, messenger, memory);
          }
        };
    Future<ComputerResult> running = graph.compute().program(waiting).submit();
    graph.close();
    closed.countDown();
    assertThrows(ExecutionException.class, running::get);
  }

  @Test
  void anInterruptEndsTheThreadsAndTheSnapshot() throws Exception {
    withVertices(10);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicReference<Thread> boss = new AtomicReference<>();
    SetProgram endless =
        new SetProgram() {
          @Override
          public boolean terminate(Memory memory) {
            boss.set(Thread.currentThread());
            begun.countDown();
            return false;
          }
        };
    Future<ComputerResult> running = graph.compute().program(endless).submit();
    begun.await();
    assertTrue(running.cancel(true));
    boss.get().join();
    assertEquals(0, graph.stats().openTransactions());
  }

  @Test
  void aResultHoldsTheSnapshotUntilItIsClosed() throws Exception {
    withVertices(3);
    Graph first = graph.compute().program(new SetProgram()).submit().get().graph();
    Graph second = first.compute().program(new SetProgram()).submit().get().graph();
    assertEquals(1, graph.stats().openTransactions());
    first.close();
    assertEquals(6L, second.traversal().V().values(SetProgram.KEY).sum().next());
    second.close();
    second.close();
    assertEquals(0, graph.stats().openTransactions());
    assertThrows(IllegalStateException.class, () -> second.vertices().next().label());
  }

  @Test
  void aResultIsReadOnly() throws Exception {
    withVertices(1);
    Graph result = graph.compute().program(new SetProgram()).submit().get().graph();
    Vertex vertex = result.vertices().next();
    assertThrows(UnsupportedOperationException.class, result::addVertex);
    assertThrows(IllegalStateException.class, () -> vertex.property("n", 2));
    assertThrows(IllegalStateException.class, vertex::remove);
    GraphComputer writing = result.compute().program(new SetProgram()).result(ResultGraph.ORIGINAL);
    assertThrows(IllegalArgumentException.class, writing::submit);
    result.close();
  }

  @Test
  void valuesThatAreWrittenTakeThePlaceOfEarlierOnes() throws Exception {
    withVertices(1_200); // more than a commit writes
    for (int i = 0; i < 2; i++) {
      var unused =
          graph
              .compute()
              .program(new SetProgram())
              .result(ResultGraph.ORIGINAL)
              .persist(Persist.VERTEX_PROPERTIES)
              .submit()
              .get();
    }
    assertEquals(1_200L, graph.traversal().V().values(SetProgram.KEY).count().next());
    assertEquals(1_200L * 1_201 / 2, graph.traversal().V().values(SetProgram.KEY).sum().next());
  }

  @Test
  void arraysOfNeighboursTakeAPartOfTheHeap() {
    assertTrue(Adjacencies.fits(10_000_000, 1L << 30));
    assertFalse(Adjacencies.fits(100_000_000, 1L << 30));
    assertFalse(Adjacencies.fits(1L << 31, Long.MAX_VALUE));
  }

  @Test
  void verticesAreNumberedInTheOrderOfTheirIds() {
    for (long[] ids : List.of(new long[] {5, 6, 9}, new long[] {7, -4, Long.MAX_VALUE, 0})) {
      VertexNumbers.Builder builder = new VertexNumbers.Builder(0);
      for (long id : ids) {
        builder.add(id);
      }
      VertexNumbers numbers = builder.build();
      assertEquals(ids.length, numbers.count());
      for (long id : ids) {
        assertEquals(id, numbers.id(numbers.of(id)));
      }
      assertTrue(numbers.of(8) < 0);
      assertTrue(numbers.of(Long.MIN_VALUE) < 0);
    }
    assertTrue(new VertexNumbers.Builder(0).build().of(1) < 0);
  }

  @Test
  void aColumnHoldsValuesOfAnyClass() {
    Column column = new Column(Blocks.of(100, 2));
    List<Object> values = List.of(1.5, 2.5, 3L, 4, "five", true);
    for (int i = 0; i < values.size(); i++) {
      column.set(i, values.get(i));
      for (int j = 0; j <= i; j++) {
        assertEquals(values.get(j), column.get(j));
      }
    }
    column.remove(2);
    assertNull(column.get(2));
    assertFalse(column.has(99));
    column.clear();
    assertNull(column.get(0));
    column.set(0, 7L);
    assertEquals(7L, column.get(0));
  }
}
