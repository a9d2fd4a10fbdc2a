package io.bg3.server.guard;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SeedStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ProductiveByStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReservedKeysVerificationStrategy;

/**
 * What a query may consist of. What is not named here is refused, also what a later version of
 * TinkerPop adds.
 *
 * <p>Missing on purpose: {@code io}, {@code read}, {@code write} (files of the server), {@code
 * program}, {@code pageRank}, {@code peerPressure}, {@code connectedComponent}, {@code
 * shortestPath}, {@code withComputer} (the whole graph in one query), {@code withoutStrategies},
 * {@code withRemote}, and strategies that name classes, call back or undo others.
 */
final class AllowList {
  /** Steps, as bytecode and the grammar name them; those that begin a traversal are among them. */
  private static final Set<String> STEPS =
      words(
          "E V addE addV aggregate all and any as asBool asDate asNumber asString barrier both",
          "bothE bothV branch by call cap choose coalesce coin combine concat conjoin constant",
          "count cyclicPath dateAdd dateDiff dedup difference discard disjunct drop element",
          "elementMap emit fail filter flatMap fold format from group groupCount has hasId hasKey",
          "hasLabel hasNot hasValue id identity in inE inV index inject intersect is key lTrim",
          "label length limit local loops map match math max mean merge mergeE mergeV min none not",
          "option optional or order otherV out outE outV path product profile project properties",
          "property propertyMap rTrim range repeat replace reverse sack sample select sideEffect",
          "simplePath skip split subgraph substring sum tail timeLimit times to toE toLower"
              + " toUpper",
          "toV tree trim unfold union until value valueMap values where with");

  /** What may be said of a source, strategies apart. */
  private static final Set<String> SOURCES = words("withBulk withPath withSack withSideEffect");

  /** What ends a text; bytecode has none. */
  private static final Set<String> TERMINALS =
      words("explain hasNext iterate next toBulkSet toList toSet tryNext");

  /** Options of a source, by {@code with(key, value)} or as {@code OptionsStrategy}. */
  private static final Set<String> OPTIONS =
      words(
          "batchSize bulkResults evaluationTimeout materializeProperties requestId"
              + " scriptEvaluationTimeout userAgent");

  /** Strategies that a source may be given, with the keys of their configuration. */
  private static final Map<Class<?>, Set<String>> STRATEGIES =
      Map.ofEntries(
          Map.entry(EdgeLabelVerificationStrategy.class, words("throwException logWarning")),
          Map.entry(OptionsStrategy.class, OPTIONS),
          Map.entry(
              PartitionStrategy.class,
              words("partitionKey writePartition readPartitions includeMetaProperties")),
          Map.entry(ProductiveByStrategy.class, words("productiveKeys")),
          Map.entry(ReadOnlyStrategy.class, Set.of()),
          Map.entry(
              ReservedKeysVerificationStrategy.class, words("keys throwException logWarning")),
          Map.entry(SeedStrategy.class, words("seed")),
          Map.entry(
              SubgraphStrategy.class,
              words("vertices edges vertexProperties checkAdjacentVertices")));

  private static final Map<String, Set<String>> BY_SIMPLE_NAME =
      STRATEGIES.entrySet().stream()
          .collect(Collectors.toMap(entry -> entry.getKey().getSimpleName(), Map.Entry::getValue));

  private static final Set<String> CLASSES =
      STRATEGIES.keySet().stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());

  private AllowList() {}

  static void requireStep(String name) throws Refusal {
    if (!STEPS.contains(name)) {
      throw Refusal.forbidden("step is not available on the server: step=" + shown(name));
    }
  }

  static void requireSource(String name) throws Refusal {
    if (!SOURCES.contains(name)) {
      throw Refusal.forbidden("not available on the server: source step=" + shown(name));
    }
  }

  static void requireTerminal(String name) throws Refusal {
    if (!TERMINALS.contains(name)) {
      throw Refusal.forbidden("not available on the server: terminal step=" + shown(name));
    }
  }

  static void requireOption(String key) throws Refusal {
    if (!OPTIONS.contains(key)) {
      throw Refusal.forbidden(
          "option is not known: with=" + shown(key) + ", known=" + new TreeSet<>(OPTIONS));
    }
  }

  static void requireStrategy(String simpleName) throws Refusal {
    if (!BY_SIMPLE_NAME.containsKey(simpleName)) {
      throw Refusal.forbidden(
          "strategy is not available on the server: strategy="
              + shown(simpleName)
              + ", available="
              + new TreeSet<>(BY_SIMPLE_NAME.keySet()));
    }
  }

  static void requireStrategyKey(String simpleName, String key) throws Refusal {
    requireStrategy(simpleName);
    if (!BY_SIMPLE_NAME.get(simpleName).contains(key)) {
      throw Refusal.forbidden(
          "strategy cannot be configured so on the server: strategy="
              + simpleName
              + ", key="
              + shown(key)
              + ", known="
              + new TreeSet<>(BY_SIMPLE_NAME.get(simpleName)));
    }
  }

  static void requireStrategy(Class<?> strategy) throws Refusal {
    if (!STRATEGIES.containsKey(strategy)) {
      requireStrategy(strategy.getSimpleName() + "?");
    }
  }

  /**
   * Whether a message may name this class. A name that is looked up loads the class and runs its
   * initialiser, and the answer tells whether it exists.
   */
  static boolean isClassAllowed(String name) {
    return CLASSES.contains(name);
  }

  /** A name from outside, fit for a message. */
  static String shown(String name) {
    String start = name.length() <= 60 ? name : name.substring(0, 60) + "...";
    return start.codePoints().allMatch(c -> c >= 32 && c != 127) ? start : "(not printable)";
  }

  private static Set<String> words(String... lines) {
    return Set.copyOf(Arrays.asList(String.join(" ", lines).split(" ", -1)));
  }
}
