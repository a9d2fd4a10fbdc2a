package io.bg3.bench.snb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Traversals of who knows whom. Friendship has no direction. */
final class Friends {
  private Friends() {}

  /** The friends of a person and the friends of these, without the person. */
  @SuppressWarnings("unchecked") // union() takes an array of traversals
  static GraphTraversal<Vertex, Vertex> nearby(GraphTraversalSource g, long person) {
    return g.V(person)
        .union(__.both(Snb.KNOWS), __.both(Snb.KNOWS).both(Snb.KNOWS))
        .dedup()
        .has(T.id, P.neq(person));
  }

  /**
   * The persons at each distance from a person, that one alone at first.
   *
   * @param most the largest distance
   * @param goal the search ends at the distance at which this person is found
   */
  static List<List<Object>> byDistance(GraphTraversalSource g, long person, int most, Long goal) {
    List<List<Object>> levels = new ArrayList<>();
    levels.add(List.of(person));
    Set<Object> seen = new HashSet<>(levels.get(0));
    while (levels.size() <= most && !(goal != null && seen.contains(goal))) {
      List<Object> last = levels.get(levels.size() - 1);
      List<Object> next = g.V(last.toArray()).both(Snb.KNOWS).dedup().id().toList();
      next.removeIf(id -> !seen.add(id));
      if (next.isEmpty()) {
        break;
      }
      levels.add(next);
    }
    return levels;
  }
}
