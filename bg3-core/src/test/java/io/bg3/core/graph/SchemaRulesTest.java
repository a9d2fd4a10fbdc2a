package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.util.List;
import java.util.Map;

/** Every element meets a schema that is enforced. */
class SchemaRulesTest {
  private static final LabelSchema PERSON =
      LabelSchema.ofVertices("person").with(KeyRule.of("name", ValueType.STRING).asRequired());
  private static final LabelSchema KNOWS =
      LabelSchema.ofEdges("knows").with(KeyRule.of("since", ValueType.INTEGER).asRequired());

  private static final LabelSchema FOLLOWS = LabelSchema.ofEdges("follows").asSingle();

  private static final LabelSchema LIKES =
      LabelSchema.ofEdges("likes").with(AllowedEnds.any().from("v").to("v"));

  private static void follow(GraphTransaction in) {
    in.addEdge(1, "follows", 2, null, Map.of());
  }

  private static Bg3 open() throws Exception {
    return Bg3.open(Settings.defaults().with("bg3.memory.budget", "16m"));
  }

  private static Bg3 openForSnapshotIsolation() throws Exception {
    return Bg3.open(
        Settings.defaults().with("bg3.memory.budget", "16m").with(Setting.ISOLATION, "snapshot"));
  }

  private static void add(GraphStore graph, long vertex) {
    graph.retry(in -> in.addVertex(vertex, "person"));
  }

  @RuleTest(
      rule = 42,
      twins =
          @Twin(
              name = "a commit does not hold its elements against the schemas",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "flush",
              without = "RuleChecks.require"))
  void aCommitThatBreaksARuleIsRefused() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      Schemas.enforce(graph, PERSON);
      assertThrows(SchemaViolationException.class, () -> add(graph, 1));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** The writer looked at the schemas when there was none. */
  @RuleTest(
      rule = 42,
      sites =
          @Site(
              name = "schemas were looked at",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit does not see that a schema has come since it looked at them",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntries",
              without = "SchemaMarks.hasOldRules"))
  void aCommitLooksAgainWhenASchemaHasCome() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      Sites.Other definer =
          Sites.meanwhile("schemas were looked at", () -> Schemas.enforce(graph, PERSON));
      try (GraphTransaction in = graph.begin()) {
        in.addVertex(1, "person");
        assertThrows(SchemaViolationException.class, in::commit);
      }
      Sites.requirePassed("schemas were looked at");
      definer.join();
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 42,
      twins = {
        @Twin(
            name = "a schema is enforced though nobody has looked at the vertices from before",
            in = "io.bg3.core.graph.SchemaWorker",
            method = "vertices",
            without = "SchemaWorker.add"),
        @Twin(
            name = "a schema is enforced though nobody has looked at the edges from before",
            in = "io.bg3.core.graph.SchemaWorker",
            method = "edges",
            without = "SchemaWorker.add")
      })
  void elementsFromBeforeAreVerified() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1);
      graph.retry(in -> in.addEdge(1, "knows", 1, null, Map.of("since", "long ago")));
      graph.defineSchema(PERSON);
      graph.defineSchema(KNOWS);
      Schemas.await(graph);
      assertEquals(
          List.of(SchemaState.FAILED, SchemaState.FAILED),
          graph.schemas().stream().map(SchemaStatus::state).toList());
      add(graph, 2); // refused by nobody
    }
  }

  /** The first verification has not seen the elements that came after the drop. */
  @RuleTest(
      rule = 42,
      sites =
          @Site(
              name = "all were looked at",
              in = "io.bg3.core.graph.SchemaWorker",
              method = "work",
              before = "GraphSchema.enforce"),
      twins =
          @Twin(
              name = "a schema is taken for another one that was dropped",
              in = "io.bg3.core.graph.LabelRules",
              method = "number"))
  void aSchemaThatIsDefinedAgainIsVerifiedAgain() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      Sites.Other other =
          Sites.meanwhile(
              "all were looked at",
              () -> {
                graph.dropSchema(ElementKind.VERTEX, "person");
                add(graph, 1);
                graph.defineSchema(PERSON);
              });
      graph.defineSchema(PERSON);
      Sites.awaitPassed("all were looked at");
      List<SchemaStatus> schemas = graph.schemas();
      while (schemas.isEmpty() || schemas.get(0).state() == SchemaState.VERIFYING) {
        Thread.sleep(1); // the other thread comes after the site
        schemas = graph.schemas();
      }
      other.join();
      assertEquals(SchemaState.FAILED, graph.schemas().get(0).state());
    }
  }

  @RuleTest(
      rule = 42,
      twins = {
        @Twin(
            name = "a commit does not validate that nobody else adds an edge between the two",
            in = "io.bg3.core.transaction.Transaction",
            method = "guardEdgesBetween",
            without = "ReadSet.addRange"),
        @Twin(
            name = "a commit does not look whether there is an edge between the two",
            in = "io.bg3.core.graph.RuleChecks",
            method = "require",
            without = "RuleChecks.requireSingle")
      })
  void ofTwoTransactionsThatAddAnEdgeOneIsRefused() throws Exception {
    try (Bg3 store = openForSnapshotIsolation()) {
      GraphStore graph = store.graph();
      addTwo(graph);
      Schemas.enforce(graph, FOLLOWS);
      try (GraphTransaction one = graph.begin();
          GraphTransaction other = graph.begin()) {
        follow(one);
        follow(other);
        one.commit();
        assertThrows(ConflictException.class, other::commit);
      }
      try (GraphTransaction again = graph.begin()) {
        follow(again);
        assertThrows(SchemaViolationException.class, again::commit);
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 42,
      twins =
          @Twin(
              name = "edges are taken for single though nobody has looked at those from before",
              in = "io.bg3.core.graph.SchemaWorker",
              method = "edges",
              without = "LabelRules.second"))
  void parallelEdgesFromBeforeAreFound() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      addTwo(graph);
      try (GraphTransaction in = graph.begin()) {
        follow(in);
        follow(in);
        in.commit();
      }
      graph.defineSchema(FOLLOWS);
      Schemas.await(graph);
      assertEquals(SchemaState.FAILED, graph.schemas().get(0).state());
    }
  }

  @RuleTest(
      rule = 42,
      twins = {
        @Twin(
            name = "a commit does not look which vertices an edge joins",
            in = "io.bg3.core.graph.RuleChecks",
            method = "require",
            without = "RuleChecks.requireEnds"),
        @Twin(
            name = "a commit does not validate that nobody changes the ends",
            in = "io.bg3.core.graph.RuleChecks",
            method = "guarded",
            without = "Transaction.guard")
      })
  void anEdgeJoinsVerticesWithTheLabelsThatItsSchemaAllows() throws Exception {
    try (Bg3 store = openForSnapshotIsolation()) {
      GraphStore graph = store.graph();
      addTwo(graph);
      Schemas.enforce(graph, LIKES);
      try (GraphTransaction in = graph.begin()) {
        in.addEdge(1, "likes", 2, null, Map.of());
        graph.retry(
            other -> {
              other.removeVertex(2);
              return other.addVertex(2, "w");
            });
        assertThrows(ConflictException.class, in::commit);
      }
      try (GraphTransaction in = graph.begin()) {
        in.addEdge(1, "likes", 2, null, Map.of());
        assertThrows(SchemaViolationException.class, in::commit);
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** The edge gets the id of one that was there before. */
  @RuleTest(
      rule = 42,
      twins =
          @Twin(
              name = "a commit takes an end that was added again for the one that was there",
              in = "io.bg3.core.graph.RuleChecks",
              method = "hasChangedEnd"))
  void anEndThatIsAddedAgainIsLookedAt() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      addTwo(graph);
      Schemas.enforce(graph, LIKES);
      EdgeId edge = graph.retry(in -> in.addEdge(1, "likes", 2, null, Map.of()));
      try (GraphTransaction in = graph.begin()) {
        in.removeVertex(2);
        in.addVertex(2, "w");
        in.transaction().putEdge(1, EdgeTags.out(edge.label()), 2, edge.sequence(), new byte[0]);
        assertThrows(SchemaViolationException.class, in::commit);
      }
    }
  }

  @RuleTest(
      rule = 42,
      twins =
          @Twin(
              name = "edges are taken to join what they may though nobody has looked",
              in = "io.bg3.core.graph.SchemaWorker",
              method = "edges",
              without = "LabelRules.wrongEnd"))
  void edgesFromBeforeThatJoinOthersAreFound() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      addTwo(graph);
      graph.retry(in -> in.addEdge(in.addVertex(3, "w"), "likes", 1, null, Map.of()));
      graph.defineSchema(LIKES);
      Schemas.await(graph);
      assertEquals(SchemaState.FAILED, graph.schemas().get(0).state());
    }
  }

  private static void addTwo(GraphStore graph) {
    graph.retry(
        in -> {
          in.addVertex(1, "v");
          return in.addVertex(2, "v");
        });
  }
}
