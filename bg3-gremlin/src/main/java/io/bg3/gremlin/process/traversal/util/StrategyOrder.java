package io.bg3.gremlin.process.traversal.util;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;

/**
 * The order in which strategies are applied, as TinkerPop sorts them. Sorting takes longer than a
 * short traversal, and every {@code with()} of a request adds a strategy to its source; so the
 * orders of sets that were sorted before are remembered, by the classes of their strategies.
 * Strategies of an application are sorted each time, because theirs may change.
 *
 * <p>Threads: any.
 */
final class StrategyOrder {
  /** Orders that are remembered; sets beyond are sorted each time. */
  private static final int MOST = 256;

  /** By the classes in the order they were added, the indexes of these in the order they apply. */
  private static final Map<List<Class<?>>, List<Integer>> KNOWN = new ConcurrentHashMap<>();

  private StrategyOrder() {}

  /** The strategies in the order in which they are applied. */
  static Set<TraversalStrategy<?>> sorted(Set<TraversalStrategy<?>> strategies) {
    TraversalStrategy<?>[] added = strategies.toArray(TraversalStrategy<?>[]::new);
    Class<?>[] classes = new Class<?>[added.length];
    for (int i = 0; i < added.length; i++) {
      classes[i] = added[i].getClass();
    }
    List<Integer> known = KNOWN.get(Arrays.asList(classes));
    if (known != null) {
      Set<TraversalStrategy<?>> sorted = new LinkedHashSet<>();
      for (int index : known) {
        sorted.add(added[index]);
      }
      return sorted;
    }
    Set<TraversalStrategy<?>> sorted = TraversalStrategies.sortStrategies(strategies);
    if (KNOWN.size() < MOST && Arrays.stream(classes).allMatch(StrategyOrder::keepsItsPlace)) {
      List<TraversalStrategy<?>> before = Arrays.asList(added);
      KNOWN.put(List.of(classes), sorted.stream().map(before::indexOf).toList());
    }
    return sorted;
  }

  /** Whether the place of a strategy among others depends on its class alone. */
  private static boolean keepsItsPlace(Class<?> strategy) {
    String name = strategy.getName();
    return name.startsWith("org.apache.tinkerpop.") || name.startsWith("io.bg3.");
  }
}
