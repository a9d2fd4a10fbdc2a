package io.bg3.bench.snb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The interactive complex reads of LDBC's SNB about the shortest paths between two persons. */
final class PathReads {
  private static final int LONGEST = 8;
  private static final int MOST_PATHS = 1_000;

  private final GraphTraversalSource g;
  private final Map<List<Object>, Double> weights = new HashMap<>();

  private PathReads(GraphTraversalSource g) {
    this.g = g;
  }

  /** IC13: the number of friendships between two persons; -1 where none lead from one to other. */
  static List<?> distance(GraphTraversalSource g, long from, long to) {
    List<List<Object>> levels = Friends.byDistance(g, from, LONGEST, to);
    boolean found = levels.get(levels.size() - 1).contains(to);
    return List.of(found ? levels.size() - 1 : -1);
  }

  /** IC14: all shortest paths between two persons, those with most replies along them first. */
  static List<?> weightedPaths(GraphTraversalSource g, long from, long to) {
    List<List<Object>> levels = Friends.byDistance(g, from, LONGEST, to);
    if (!levels.get(levels.size() - 1).contains(to)) {
      return List.of();
    }
    GraphTraversal<?, Vertex> back = g.V(to);
    for (int distance = levels.size() - 2; distance >= 0; distance--) {
      back = back.both(Snb.KNOWS).has(T.id, P.within(levels.get(distance)));
    }
    PathReads reads = new PathReads(g);
    List<List<Object>> paths = new ArrayList<>();
    back.path()
        .by(T.id)
        .forEachRemaining(
            path -> {
              if (paths.size() < MOST_PATHS) {
                paths.add(List.copyOf(path.objects()));
              }
            });
    if (paths.size() == MOST_PATHS) {
      return List.of(levels.size() - 1, MOST_PATHS); // which ones is not said
    }
    return paths.stream()
        .map(path -> reads.weight(path) + " " + path)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private double weight(List<Object> path) {
    double sum = 0;
    for (int i = 1; i < path.size(); i++) {
      sum += replies(path.get(i - 1), path.get(i)) + replies(path.get(i), path.get(i - 1));
    }
    return sum;
  }

  /** The replies of a person to another one: 1 for each to a post, a half for each to a comment. */
  private double replies(Object of, Object to) {
    return weights.computeIfAbsent(
        List.of(of, to),
        pair -> {
          Map<Object, Long> byLabel =
              g.V(of)
                  .in(Snb.HAS_CREATOR)
                  .hasLabel(Snb.COMMENT)
                  .out(Snb.REPLY_OF)
                  .where(__.out(Snb.HAS_CREATOR).hasId(to))
                  .groupCount()
                  .by(T.label)
                  .next();
          return byLabel.getOrDefault(Snb.POST, 0L) + byLabel.getOrDefault(Snb.COMMENT, 0L) / 2.0;
        });
  }
}
