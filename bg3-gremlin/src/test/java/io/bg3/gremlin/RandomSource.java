package io.bg3.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasLabel;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasNot;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasValue;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.not;

import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.event.MutationListener;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ElementIdStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.EventStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SeedStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ProductiveByStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ComputerVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.LambdaRestrictionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReservedKeysVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.StandardVerificationStrategy;

/**
 * The configuration of a source before a traversal, drawn from a seed: each verification strategy,
 * each strategy that decorates, and the settings of the source itself.
 */
final class RandomSource {
  /** The property that says to which partition an element belongs. */
  static final String PARTITION = "part";

  private RandomSource() {}

  /** The source as it is, or with what the seed draws; the same for every graph. */
  static GraphTraversalSource of(long seed, GraphTraversalSource g, MutationListener listener) {
    Random random = Seeds.random(seed);
    GraphTraversalSource drawn = one(random, g, listener);
    GraphTraversalSource more = random.nextInt(4) == 0 ? one(random, drawn, listener) : drawn;
    return contains(more, PartitionStrategy.class) && contains(more, SubgraphStrategy.class)
        ? drawn
        : more;
  }

  /** TinkerPop applies partitions and subgraphs in any order, and the answers depend on it. */
  private static boolean contains(
      GraphTraversalSource source, Class<? extends TraversalStrategy<?>> strategy) {
    return source.getStrategies().getStrategy(strategy).isPresent();
  }

  /** As {@link #of}, without what leaves the choice of new ids to the graph. */
  @SuppressWarnings("unchecked") // an array of classes
  static GraphTraversalSource ofChanges(
      long seed, GraphTraversalSource g, MutationListener listener) {
    return of(seed, g, listener).withoutStrategies(ElementIdStrategy.class);
  }

  private static GraphTraversalSource one(
      Random random, GraphTraversalSource g, MutationListener listener) {
    return switch (random.nextInt(24)) {
      case 0 -> g.withStrategies(ReadOnlyStrategy.instance());
      case 1 -> g.withStrategies(EdgeLabelVerificationStrategy.build().throwException().create());
      case 2 -> g.withStrategies(reserved("name", "part"));
      case 3 -> g.withStrategies(reserved("id", "label"));
      case 4 -> g.withStrategies(LambdaRestrictionStrategy.instance());
      case 5 -> g.withStrategies(StandardVerificationStrategy.instance());
      case 6 -> g.withStrategies(ComputerVerificationStrategy.instance());
      case 7 -> g.withStrategies(partition(random, List.of("a")));
      case 8 -> g.withStrategies(partition(random, List.of("a", "b")));
      case 9 -> g.withStrategies(partition(random, List.of("none")));
      case 10 -> g.withStrategies(subgraph(random));
      case 11 -> g.withStrategies(ElementIdStrategy.build().idPropertyKey("uid").create());
      case 12 -> g.withStrategies(EventStrategy.build().addListener(listener).create());
      case 13 -> g.withSideEffect("x", List.of(1, 2));
      case 14 -> g.withSack(1.0, Operator.sum);
      case 15 -> g.withPath();
      case 16 -> g.withStrategies(ProductiveByStrategy.build().create());
      case 17 -> g.withStrategies(OptionsStrategy.build().with("batchSize", 10).create());
      case 18 -> g.withStrategies(SeedStrategy.build().seed(7L).create());
      case 19 -> g.withBulk(false);
      default -> g;
    };
  }

  private static TraversalStrategy<?> reserved(String... keys) {
    return ReservedKeysVerificationStrategy.build()
        .reservedKeys(Set.of(keys))
        .throwException()
        .create();
  }

  private static TraversalStrategy<?> partition(Random random, List<String> read) {
    return PartitionStrategy.build()
        .partitionKey(PARTITION)
        .writePartition("b")
        .readPartitions(read)
        .includeMetaProperties(random.nextInt(3) == 0)
        .create();
  }

  private static TraversalStrategy<?> subgraph(Random random) {
    SubgraphStrategy.Builder subgraph = SubgraphStrategy.build();
    int parts = 1 + random.nextInt(7); // at least one of three
    if ((parts & 1) != 0) {
      subgraph.vertices(
          random.nextBoolean() ? hasLabel("person", "thing") : has("ages", P.between(30, 40)));
    }
    if ((parts & 2) != 0) {
      subgraph.edges(has("weight", P.gt(0.3)));
    }
    if ((parts & 4) != 0) {
      subgraph.vertexProperties(random.nextBoolean() ? hasNot("since") : not(hasValue(20)));
    }
    return subgraph.checkAdjacentVertices(random.nextBoolean()).create();
  }
}
