package io.bg3.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** The pairs that clients which are {@link Committing} have left in a store, read in one query. */
final class Pairs {
  private final Map<String, Set<Integer>> whole = new HashMap<>();
  private final Map<String, Set<Integer>> half = new HashMap<>();

  Pairs(GraphTraversalSource g) {
    g.V().hasLabel("pair").values("of", "i").fold().forEachRemaining(this::read);
  }

  private void read(List<Object> values) {
    for (int at = 0; at < values.size(); at += 2) {
      String of = (String) values.get(at);
      Integer i = (Integer) values.get(at + 1);
      if (half.computeIfAbsent(of, name -> new HashSet<>()).remove(i)) {
        whole.computeIfAbsent(of, name -> new HashSet<>()).add(i);
      } else {
        half.get(of).add(i);
      }
    }
  }

  void compare(Committing client, String told) {
    client.compare(
        whole.getOrDefault(client.name, Set.of()), half.getOrDefault(client.name, Set.of()), told);
  }
}
