package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.ReadOnlyService;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Pop;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ScalarMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each kind of step, alone, in children of each kind, and as a strategy adds it. */
class WritingStepsTest {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g =
      graph.traversal().withStrategies(new ValueLimit(ValidatedMessages.LIMITS));

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  /** The steps of TinkerPop and BG3 that may write, whatever their arguments are. */
  private static final Set<String> WRITING =
      Set.of(
          "AddEdgeStartStep",
          "AddEdgeStartStepPlaceholder",
          "AddEdgeStep",
          "AddEdgeStepPlaceholder",
          "AddPropertyStep",
          "AddPropertyStepPlaceholder",
          "AddVertexStartStep",
          "AddVertexStartStepPlaceholder",
          "AddVertexStep",
          "AddVertexStepPlaceholder",
          "Bg3DropStep",
          "Bg3DropVerticesStep",
          "Bg3MergeEdgeStep",
          "Bg3MergeVertexStep",
          "ConnectedComponentVertexProgramStep",
          "DropStep",
          "IoStep",
          "MergeEdgeStep",
          "MergeEdgeStepPlaceholder",
          "MergeVertexStep",
          "MergeVertexStepPlaceholder",
          "PageRankVertexProgramStep",
          "PeerPressureVertexProgramStep",
          "ProgramVertexProgramStep",
          "ShortestPathVertexProgramStep",
          "TraversalVertexProgramStep");

  /** Adds a step behind the last one of each traversal without a parent. */
  private static final class Added
      extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
      implements TraversalStrategy.FinalizationStrategy {
    private static final long serialVersionUID = 1L;
    private final transient Function<Traversal.Admin<?, ?>, Step<?, ?>> step;

    private Added(Function<Traversal.Admin<?, ?>, Step<?, ?>> step) {
      this.step = step;
    }

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
      if (traversal.isRoot()) {
        traversal.addStep(step.apply(traversal));
      }
    }
  }

  /** A step of an application, of which nothing is known. */
  private static final class Unknown extends ScalarMapStep<Object, Object> {
    private static final long serialVersionUID = 1L;

    private Unknown(Traversal.Admin<?, ?> traversal) {
      super(traversal);
    }

    @Override
    protected Object map(Traverser.Admin<Object> traverser) {
      return traverser.get();
    }
  }

  /** A service that is called for each traverser, and does not say what it does. */
  @SuppressWarnings("rawtypes") // as the interfaces of services have it
  private static class Each implements ServiceFactory<Object, Object>, Service<Object, Object> {
    private final String name;

    Each(String name) {
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public Type getType() {
      return Type.Streaming;
    }

    @Override
    public Set<Type> getSupportedTypes() {
      return Set.of(Type.Streaming);
    }

    @Override
    public Service<Object, Object> createService(boolean isStart, Map params) {
      return this;
    }

    @Override
    public void close() {}
  }

  /** One that says that it only reads. */
  private static final class ReadingEach extends Each implements ReadOnlyService {
    ReadingEach(String name) {
      super(name);
    }
  }

  private void assertAll(boolean mayWrite, List<Traversal<?, ?>> traversals) {
    for (Traversal<?, ?> traversal : traversals) {
      Traversal.Admin<?, ?> compiled = traversal.asAdmin();
      String text = compiled.getBytecode().toString();
      compiled.applyStrategies();
      assertEquals(mayWrite, WritingSteps.areIn(compiled, graph), text);
    }
  }

  /** A step that a new version brings has to be put on one of the lists of its kind. */
  @Test
  void theseStepsMayWriteAndNoOthers() throws Exception {
    Set<String> writing = new TreeSet<>();
    for (Class<?> step : StepClasses.all()) {
      if (WritingSteps.mayWrite(step)) {
        writing.add(step.getSimpleName());
      }
    }
    assertEquals(WRITING, writing);
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of traversals
  void stepsThatReadDoNotWrite() {
    assertAll(
        false,
        List.of(
            g.V(1).values("name"),
            g.V().has("age", P.gt(3)).hasLabel("a").count(),
            g.E().hasLabel("knows").outV().dedup().count(),
            g.V().groupCount().by(T.label),
            g.V().out("a").in("b").both().limit(10).path(),
            g.V(1).outE("a").order().by("at", Order.desc).limit(3).inV(),
            g.V().repeat(__.out()).times(3).emit().dedup(),
            g.V().repeat(__.out("a")).until(__.has("name", "x")).tree(),
            g.V().union(__.out(), __.in()).choose(__.has("a"), __.out(), __.in()),
            g.V().coalesce(__.out("a"), __.in()).optional(__.out()),
            g.V().project("a", "b").by("name").by(__.outE().count()),
            g.V().match(__.as("a").out().as("b")).select(Pop.all, "a"),
            g.V().as("a").where(__.out().as("a")).not(__.in()).and(__.out(), __.in()),
            g.V().aggregate("x").cap("x").unfold().fold(),
            g.V().group("m").by("name").by(__.count()).cap("m"),
            g.E().subgraph("s").cap("s"),
            g.withSack(1.0, Operator.sum).V().sack(Operator.mult).by("w").sack(),
            g.withSideEffect("x", List.of(1)).V().local(__.out().fold()),
            g.V().out().profile(),
            g.inject(1).is(P.gt(0)).math("_ + 1"),
            g.withStrategies(SubgraphStrategy.build().vertices(__.has("a")).create()).V().out(),
            g.withStrategies(
                    PartitionStrategy.build().partitionKey("p").readPartitions("a").create())
                .V()
                .out()));
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of maps
  void stepsThatWriteDo() {
    assertAll(
        true,
        List.of(
            g.addV("a"),
            g.addV("a").property("name", "x"),
            g.V().addV(),
            g.addE("a").from(__.V(1)).to(__.V(2)),
            g.V(1).addE("a").to(__.V(2)),
            g.V(1).property("name", "x"),
            g.E().property("at", 1),
            g.V().properties("name").property("meta", 1),
            g.V(1).drop(),
            g.E().drop(),
            g.V().properties().drop(),
            g.V().outE().drop(),
            g.mergeV(Map.of("name", "x")),
            g.V().mergeV(Map.of("name", "x")).option(Merge.onCreate, Map.of("a", 1)),
            g.mergeE(Map.of(T.label, "a")),
            g.inject(Map.of("name", "x")).mergeV(),
            g.io("file").read(),
            g.io("file").write()));
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of traversals
  void stepsThatWriteInChildrenDo() {
    assertAll(
        true,
        List.of(
            g.V().union(__.out(), __.addV()),
            g.V().coalesce(__.out(), __.addV("a")),
            g.V().choose(__.has("a"), __.out(), __.property("a", 1)),
            g.V().optional(__.property("a", 1)),
            g.V().repeat(__.property("a", 1).out()).times(2),
            g.V().repeat(__.out()).until(__.property("a", 1).out()),
            g.V().local(__.properties().drop()),
            g.V().map(__.property("a", 1)),
            g.V().flatMap(__.addE("a").to(__.V(1))),
            g.V().sideEffect(__.drop()),
            g.V().where(__.property("a", 1)),
            g.V().not(__.property("a", 1)),
            g.V().and(__.out(), __.addV()),
            g.V().project("a").by(__.addV()),
            g.V().group().by("name").by(__.property("a", 1).count()),
            g.V().order().by(__.addV().id()),
            g.V().match(__.as("a").addV().as("b")),
            g.V().union(__.local(__.coalesce(__.out(), __.repeat(__.addV()).times(1))))));
  }

  @Test
  void stepsOfStrategiesCount() {
    assertAll(true, List.of(g.withStrategies(new Added(DropStep::new)).V().out()));
    assertAll(true, List.of(g.withStrategies(new Added(Unknown::new)).V().out()));
  }

  @Test
  void programsMayWrite() {
    assertAll(true, List.of(g.withComputer().V().count(), g.withComputer().V().pageRank()));
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of traversals
  void servicesMayWriteUnlessTheySayThatTheyRead() {
    Bg3Services.register(graph);
    Bg3Services.registerReading(graph, "app.read", Map.of(), parameters -> List.of(1));
    Bg3Services.registerWriting(graph, "app.write", Map.of(), parameters -> List.of(1));
    graph.getServiceRegistry().registerService(new Each("app.each"));
    graph.getServiceRegistry().registerService(new ReadingEach("app.each.read"));
    assertAll(
        false,
        List.of(
            g.call(),
            g.call("--list"),
            g.call("app.read"),
            g.call("bg3.index.list"),
            g.call("bg3.links.list", Map.of("label", "a", "source", 1)),
            g.V().union(__.out(), __.call("app.each.read"))));
    assertAll(
        true,
        List.of(
            g.call("app.write"),
            g.call("bg3.nodes.add", Map.of("nodes", List.of())),
            g.call("bg3.index.create", Map.of("label", "a", "key", "b")),
            g.V().call("app.each"),
            g.V().union(__.call("app.each.read"), __.call("app.each"))));
  }
}
