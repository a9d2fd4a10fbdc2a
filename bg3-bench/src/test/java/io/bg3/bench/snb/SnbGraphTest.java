package io.bg3.bench.snb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.snb.SnbSizes.Kind;
import java.nio.file.Path;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated network, and that the questions about it have answers. */
class SnbGraphTest {
  private static final int PERSONS = 50;

  @TempDir private Path directory;
  private Graph graph;
  private SnbWriter loaded;
  private GraphTraversalSource g;

  @BeforeEach
  void load() {
    graph = GremlinSystem.TINKERGRAPH.open(directory, 0);
    loaded = new SnbWriter(graph);
    new SnbGraph(PERSONS, 1, loaded).load();
    g = graph.traversal();
  }

  @AfterEach
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  void close() throws Exception {
    graph.close();
  }

  @Test
  void everyMessageHasOneAuthorOnePlaceAndOneForum() {
    long messages = g.V().hasLabel(Snb.POST, Snb.COMMENT).count().next();
    assertEquals(loaded.count(Kind.POST) + loaded.count(Kind.COMMENT), messages);
    for (String label : List.of(Snb.HAS_CREATOR, Snb.IS_LOCATED_IN)) {
      assertEquals(
          messages,
          g.V().hasLabel(Snb.POST, Snb.COMMENT).where(__.outE(label).count().is(1)).count().next(),
          label);
    }
    assertEquals(
        loaded.count(Kind.POST),
        g.V().hasLabel(Snb.POST).where(__.inE(Snb.CONTAINER_OF).count().is(1)).count().next());
    assertEquals(
        loaded.count(Kind.COMMENT),
        g.V().hasLabel(Snb.COMMENT).where(__.outE(Snb.REPLY_OF).count().is(1)).count().next());
  }

  @Test
  void aReplyIsYoungerThanWhatItAnswers() {
    g.V()
        .hasLabel(Snb.COMMENT)
        .project("reply", "answered")
        .by(Snb.CREATION_DATE)
        .by(__.out(Snb.REPLY_OF).values(Snb.CREATION_DATE))
        .forEachRemaining(
            dates ->
                assertTrue(
                    (long) dates.get("reply") > (long) dates.get("answered"), dates::toString));
  }

  @Test
  void allPersonsAreConnected() {
    int reached =
        Friends.byDistance(g, Kind.PERSON.id(0), PERSONS, null).stream().mapToInt(List::size).sum();
    assertEquals(PERSONS, reached);
  }

  @Test
  void theSameNumbersMakeTheSameNetwork() {
    Graph other = GremlinSystem.TINKERGRAPH.open(directory, 0);
    new SnbGraph(PERSONS, 1, new SnbWriter(other)).load();
    assertEquals(elements(g), elements(other.traversal()));
    Graph another = GremlinSystem.TINKERGRAPH.open(directory, 0);
    new SnbGraph(PERSONS, 2, new SnbWriter(another)).load();
    assertFalse(elements(g).equals(elements(another.traversal())));
  }

  private static List<String> elements(GraphTraversalSource of) {
    List<String> all =
        of.V().order().by(T.id).elementMap().map(map -> map.get().toString()).toList();
    of.E()
        .project("label", "out", "in", "properties")
        .by(T.label)
        .by(__.outV().id())
        .by(__.inV().id())
        .by(__.valueMap())
        .map(map -> map.get().toString())
        .forEachRemaining(all::add);
    all.sort(null);
    return all;
  }

  @Test
  void everyQueryFindsSomethingForSomeOfItsQuestions() {
    SnbQuestions questions = new SnbQuestions(g, PERSONS, 1, loaded);
    for (SnbQuery query : SnbQuery.values()) {
      int found = 0;
      for (int n = 0; n < 60 && found == 0; n++) {
        found += query.ask(questions, n).size();
      }
      assertTrue(found > 0, query::text);
    }
  }

  @Test
  void theShortestPathsAreAsLongAsTheDistance() {
    SnbQuestions questions = new SnbQuestions(g, PERSONS, 1, loaded);
    for (int n = 0; n < 20; n++) {
      int distance = (int) SnbQuery.IC13.ask(questions, n).get(0);
      List<Long> counted =
          g.V(questions.person(n))
              .repeat(__.both(Snb.KNOWS).simplePath())
              .times(distance)
              .hasId(questions.otherPerson(n))
              .path()
              .dedup()
              .by(__.unfold().id().fold())
              .count()
              .toList();
      assertEquals(counted.get(0), SnbQuery.IC14.ask(questions, n).size(), "question " + n);
    }
  }
}
