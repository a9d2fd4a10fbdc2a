package io.bg3.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3SkipStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.apache.tinkerpop.gremlin.process.traversal.step.PathProcessor;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IdentityRemovalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.RepeatUnrollStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * {@link Bg3SkipStrategy} leaves out strategies that would change nothing, and no others: drawn
 * traversals come out of all strategies as they come out of those that are left.
 */
class SkippedStrategiesTest {
  private static final int TRAVERSALS = 5_000;

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  @SuppressWarnings("unchecked") // arrays of classes and of traversals
  private static GraphTraversalSource unskipped(GraphTraversalSource source) {
    return source.withoutStrategies(Bg3SkipStrategy.class);
  }

  @Test
  void drawnTraversalsAreCompiledAlike() {
    long seed = Seeds.one();
    RecordedEvents nobody = new RecordedEvents();
    for (int i = 0; i < TRAVERSALS; i++) {
      long drawn = seed + i;
      GraphTraversalSource source = RandomSource.of(drawn, g, nobody.listener());
      assertEquals(
          compiled(() -> RandomTraversal.of(drawn, unskipped(source))),
          compiled(() -> RandomTraversal.of(drawn, source)),
          () -> "seed=" + drawn);
      GraphTraversalSource changing = RandomSource.ofChanges(drawn, g, nobody.listener());
      assertEquals(
          compiled(() -> RandomChange.of(drawn, unskipped(changing))),
          compiled(() -> RandomChange.of(drawn, changing)),
          () -> "seed=" + drawn);
    }
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of classes and of traversals
  void traversalsForEachSkippedStrategyAreCompiledAlike() {
    List<Function<GraphTraversalSource, Traversal<?, ?>>> asked =
        List.of(
            from -> from.V().identity().out(),
            from -> from.V().identity().as("a").out(),
            from -> from.V().has("a", 1).or().has("b", 2).and().has("c", 3),
            from -> from.V().values("a").as("b").limit(3).as("c"),
            from -> from.V().out().id().limit(9).range(1, 3),
            from -> from.V().out().id().limit(0).count(),
            from -> from.V().out().limit(5).limit(3),
            from -> from.V().filter(__.has("a", 1)).and(__.has("b"), __.has("c")),
            from -> from.V().bothE().hasLabel("x").inV().has("a", P.gt(1)).has("b"),
            from -> from.V().outE("x").inV().inE().otherV().path(),
            from -> from.V().outE("x").inV().outE().otherV(),
            from -> from.V().group().by(__.values("a")).by(__.values("b").fold()),
            from -> from.V().order().by(__.values("a")).by(__.id()),
            from -> from.V().as("a").out().dedup().has("a").is(P.neq(null)),
            from -> from.V().order().by("a").has("b").dedup().limit(2),
            from -> from.V().match(__.as("a").out().as("b"), __.as("a").has("x")).select("a"),
            from -> from.V().match(__.as("a").out().as("b")).where("a", P.neq("b")),
            from -> from.V().repeat(__.out("x")).times(3).out(),
            from -> from.V().repeat(__.out("x").in().limit(2)).times(3),
            from -> from.V().filter(__.out().count().is(0)).out().count().is(P.gt(4)),
            from -> from.V().as("a").out().as("b").select("a").out().select("b").out(),
            from -> from.V().as("a").out().where(__.in().as("a")).in(),
            from -> from.V(1, 2, 3, 4, 5).out().in().out(),
            from -> from.V(1).out().V().out().groupCount(),
            from -> from.V().out().in().drop(),
            from -> from.V().out().in().profile(),
            from -> from.V().out().profile().profile(),
            from -> from.V().repeat(__.out().fold().<Vertex>unfold()).times(2),
            from -> from.V().repeat(__.<Vertex>inject()).times(2),
            from -> from.V().emit(),
            from -> from.V(GValue.of("x", 1)).out(GValue.of("y", "z")).limit(GValue.of("n", 3L)),
            from -> from.V().has("a", GValue.of("x", 1)).hasLabel(GValue.of("y", "z")),
            from -> from.addV("a").property("b", 1),
            from -> from.mergeE(Map.of()),
            from -> from.mergeV(Map.of("a", 1)),
            from -> from.V().call("none"),
            from -> from.V().sideEffect(x -> {}).outE().inV(),
            from -> from.V().union(__.out().out().id(), __.id().limit(1)),
            from -> from.V().hasLabel("a").count(),
            from -> from.E().groupCount().by(T.label));
    for (int i = 0; i < asked.size(); i++) {
      int at = i;
      assertEquals(
          compiled(() -> asked.get(at).apply(unskipped(g))),
          compiled(() -> asked.get(at).apply(g)),
          () -> "question " + at);
    }
  }

  /**
   * The steps with the labels that they keep, and what the traversal requires of its traversers; or
   * what is thrown instead. That they hold an object they always do: whether a step requires it
   * depends on when it is asked.
   */
  private static List<String> compiled(Supplier<Traversal<?, ?>> drawn) {
    List<String> found = new ArrayList<>();
    try {
      Traversal.Admin<?, ?> traversal = drawn.get().asAdmin();
      traversal.applyStrategies();
      found.add(traversal.toString().replaceAll("@[0-9a-f]+", "")); // of iterators
      Set<TraverserRequirement> required = new TreeSet<>(traversal.getTraverserRequirements());
      required.remove(TraverserRequirement.OBJECT);
      found.add(required.toString());
      for (PathProcessor step :
          TraversalHelper.getStepsOfAssignableClassRecursively(PathProcessor.class, traversal)) {
        found.add(
            step.getKeepLabels() == null ? "" : new TreeSet<>(step.getKeepLabels()).toString());
      }
    } catch (RuntimeException e) {
      found.add(e.getClass().getName());
    }
    return found;
  }

  @Test
  void explainShowsEveryStrategy() {
    String explained = g.V(1L).out().limit(2).explain().toString();
    for (TraversalStrategy<?> strategy : g.getStrategies().toList()) {
      assertTrue(
          explained.contains(strategy.getClass().getSimpleName()), () -> strategy + explained);
    }
    assertTrue(explained.contains("Bg3SkipStrategy"));
    assertTrue(explained.contains("Bg3VertexStep(OUT,vertex)"), explained);
  }

  /** The classes of the strategies that a traversal would still run, as it is. */
  private static List<Class<?>> applicable(Traversal.Admin<?, ?> traversal) {
    List<Class<?>> left = new ArrayList<>();
    Iterator<TraversalStrategy<?>> strategies = traversal.getStrategies().iterator();
    strategies.next().apply(traversal);
    strategies.forEachRemaining(strategy -> left.add(strategy.getClass()));
    return left;
  }

  @Test
  void aTraversalRunsTheStrategiesThatItsStepsCallFor() {
    List<Class<?>> hop = applicable(g.V(1L).out().limit(2).asAdmin());
    assertTrue(hop.contains(Bg3VertexStepStrategy.class));
    assertFalse(hop.contains(RepeatUnrollStrategy.class));
    assertFalse(hop.contains(LazyBarrierStrategy.class));
    assertFalse(hop.contains(Bg3SkipStrategy.class));
    List<Class<?>> loop = applicable(g.V(1L).repeat(__.out()).times(2).asAdmin());
    assertTrue(loop.contains(RepeatUnrollStrategy.class));
    assertTrue(applicable(g.V(1L).out().in().out().asAdmin()).contains(LazyBarrierStrategy.class));
    List<Class<?>> all = applicable(unskipped(g).V(1L).out().asAdmin());
    assertTrue(all.contains(RepeatUnrollStrategy.class));
  }

  @Test
  void aStrategyOfASourceAlwaysRuns() {
    GraphTraversalSource readOnly = g.withStrategies(ReadOnlyStrategy.instance());
    assertTrue(applicable(readOnly.V(1L).asAdmin()).contains(ReadOnlyStrategy.class));
    assertEquals(
        List.of(VerificationException.class.getName()), compiled(() -> readOnly.addV("x")));
  }

  /** Strategies look at the steps that those before them have left. */
  @Test
  @SuppressWarnings("unchecked") // arrays of classes and of traversals
  void aStepThatAStrategyAddsHasItsStrategiesRun() {
    GraphTraversalSource adding = g.withStrategies(new IdentityAdding());
    assertEquals(compiled(() -> g.V(1L).out()), compiled(() -> adding.V(1L).out()));
    String kept =
        compiled(() -> adding.withoutStrategies(IdentityRemovalStrategy.class).V(1L).out()).get(0);
    assertTrue(kept.contains("IdentityStep"), kept);
  }

  @Test
  @SuppressWarnings("unchecked") // arrays of classes and of traversals
  void aSourceKeepsItsStrategiesWhenOneThatIsMadeOfItChanges() {
    List<TraversalStrategy<?>> before = g.getStrategies().toList();
    GraphTraversalSource other = g.with("x", 1).withoutStrategies(LazyBarrierStrategy.class);
    assertEquals(before, g.getStrategies().toList());
    assertTrue(other.getStrategies().getStrategy(OptionsStrategy.class).isPresent());
    assertFalse(other.getStrategies().getStrategy(LazyBarrierStrategy.class).isPresent());
    assertTrue(g.getStrategies().getStrategy(LazyBarrierStrategy.class).isPresent());
    GraphTraversalSource again = g.with("x", 1).with("y", 2);
    assertEquals(
        before.size() + 1, again.getStrategies().toList().size(), "options are one strategy");
    OptionsStrategy options = again.getStrategies().getStrategy(OptionsStrategy.class).get();
    assertEquals(2, options.getOptions().size());
  }

  /** Puts {@code identity()} at the end of a traversal. */
  private static final class IdentityAdding
      extends AbstractTraversalStrategy<TraversalStrategy.DecorationStrategy>
      implements TraversalStrategy.DecorationStrategy {
    private static final long serialVersionUID = 1L;

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
      traversal.addStep(new IdentityStep<>(traversal));
    }
  }
}
