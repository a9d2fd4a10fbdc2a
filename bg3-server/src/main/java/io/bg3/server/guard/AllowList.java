package io.bg3.server.guard;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.finalization.ComputerFinalizationStrategy;
import org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.optimization.GraphFilterStrategy;
import org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.optimization.MessagePassingReductionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MatchStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ConnectiveStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ElementIdStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.HaltedTraverserStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SeedStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.MatchAlgorithmStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ProfileStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ReferenceElementStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.AdjacentToIncidentStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ByModulatorOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.CountStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.EarlyLimitStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.FilterRankingStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IdentityRemovalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IncidentToAdjacentStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.InlineFilterStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.MatchPredicateStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.OrderLimitStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.PathProcessorStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.PathRetractionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ProductiveByStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.RepeatUnrollStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ComputerVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.LambdaRestrictionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReservedKeysVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.StandardVerificationStrategy;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedFactory;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;

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

  /** Those of them that change a graph; whether {@code call} does is a question of the service. */
  private static final Set<String> WRITES = words("addE addV drop mergeE mergeV property");

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

  /**
   * Strategies of TinkerPop that are applied anyway, or change nothing but how a query is run, and
   * of which nothing can be configured.
   */
  private static final List<Class<?>> PLAIN_STRATEGIES =
      List.of(
          AdjacentToIncidentStrategy.class,
          ByModulatorOptimizationStrategy.class,
          ComputerFinalizationStrategy.class,
          ComputerVerificationStrategy.class,
          ConnectiveStrategy.class,
          CountStrategy.class,
          EarlyLimitStrategy.class,
          FilterRankingStrategy.class,
          GraphFilterStrategy.class,
          IdentityRemovalStrategy.class,
          IncidentToAdjacentStrategy.class,
          InlineFilterStrategy.class,
          LambdaRestrictionStrategy.class,
          LazyBarrierStrategy.class,
          MatchPredicateStrategy.class,
          MessagePassingReductionStrategy.class,
          OrderLimitStrategy.class,
          PathProcessorStrategy.class,
          PathRetractionStrategy.class,
          ProfileStrategy.class,
          ReferenceElementStrategy.class,
          RepeatUnrollStrategy.class,
          StandardVerificationStrategy.class);

  /** A key of two strategies, as gremlin-javascript spells it and as TinkerPop reads it. */
  private static final String LOG_WARNINGS = "logWarnings";

  private static final String LOG_WARNING = "logWarning";

  /** Other strategies that a source may be given, with the keys of their configuration. */
  private static final Map<Class<?>, Set<String>> CONFIGURED_STRATEGIES =
      Map.ofEntries(
          Map.entry(
              EdgeLabelVerificationStrategy.class,
              words("throwException", LOG_WARNING, LOG_WARNINGS)),
          Map.entry(ElementIdStrategy.class, words("idPropertyKey")),
          Map.entry(HaltedTraverserStrategy.class, words("haltedTraverserFactory")),
          Map.entry(MatchAlgorithmStrategy.class, words("matchAlgorithm")),
          Map.entry(OptionsStrategy.class, OPTIONS),
          Map.entry(
              PartitionStrategy.class,
              words("partitionKey writePartition readPartitions includeMetaProperties")),
          Map.entry(ProductiveByStrategy.class, words("productiveKeys")),
          Map.entry(ReadOnlyStrategy.class, Set.of()),
          Map.entry(
              ReservedKeysVerificationStrategy.class,
              words("keys throwException", LOG_WARNING, LOG_WARNINGS)),
          Map.entry(SeedStrategy.class, words("seed")),
          Map.entry(
              SubgraphStrategy.class,
              words("vertices edges vertexProperties checkAdjacentVertices")));

  private static final String FILES =
      "no client can read or write files of the server; 'bg3 load' and 'bg3 export' do";

  private static final String WHOLE_GRAPH = "no query can compute over the whole graph";

  /** Characters of a name in a message; the longest class name of TinkerPop's has 120. */
  private static final int SHOWN = 200;

  private static final Map<Class<?>, Set<String>> STRATEGIES = new HashMap<>(CONFIGURED_STRATEGIES);

  static {
    PLAIN_STRATEGIES.forEach(strategy -> STRATEGIES.put(strategy, Set.of()));
  }

  /**
   * Keys whose value is the name of a class that will be loaded, with the names that may stand
   * there.
   */
  private static final Map<String, Set<String>> CLASS_NAMES =
      Map.of(
          "haltedTraverserFactory",
          names(DetachedFactory.class, ReferenceFactory.class),
          "matchAlgorithm",
          names(MatchStep.CountMatchAlgorithm.class, MatchStep.GreedyMatchAlgorithm.class));

  private static final Map<String, Set<String>> BY_SIMPLE_NAME =
      STRATEGIES.entrySet().stream()
          .collect(Collectors.toMap(entry -> entry.getKey().getSimpleName(), Map.Entry::getValue));

  private static final Set<String> CLASSES =
      STRATEGIES.keySet().stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());

  /** Why a step or source step is missing, where a client may wonder. */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("io", FILES),
          Map.entry("read", FILES),
          Map.entry("write", FILES),
          Map.entry("program", WHOLE_GRAPH),
          Map.entry("pageRank", WHOLE_GRAPH),
          Map.entry("peerPressure", WHOLE_GRAPH),
          Map.entry("connectedComponent", WHOLE_GRAPH),
          Map.entry("shortestPath", WHOLE_GRAPH),
          Map.entry("withComputer", WHOLE_GRAPH),
          Map.entry(
              "withoutStrategies", "no query can take away the strategies that the server sets"),
          Map.entry("withRemote", "the server connects to no other server"));

  private AllowList() {}

  static void requireStep(String name) throws Refusal {
    if (!STEPS.contains(name)) {
      throw Refusal.forbidden(
          "step is not available on the server: step=" + shown(name) + reason(name));
    }
  }

  /** Whether queries may have a step of this name. */
  static boolean isStep(String name) {
    return STEPS.contains(name);
  }

  /** Whether a step of this name is allowed, or refused for a reason. */
  static boolean isKnown(String name) {
    return STEPS.contains(name) || REASONS.containsKey(name);
  }

  private static String reason(String name) {
    return REASONS.containsKey(name) ? ", reason=" + REASONS.get(name) : "";
  }

  /** Passes a step that changes nothing. */
  static void requireReading(String name) throws Refusal {
    if (WRITES.contains(name)) {
      throw Refusal.forbidden("this request may only read: step=" + name);
    }
  }

  static void requireSource(String name) throws Refusal {
    if (!SOURCES.contains(name)) {
      throw Refusal.forbidden(
          "not available on the server: source step=" + shown(name) + reason(name));
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

  /** Judges a value of a strategy's configuration whose key has been judged. */
  static void requireStrategyValue(String key, Object value) throws Refusal {
    Set<String> allowed = CLASS_NAMES.get(key);
    if (allowed != null && !(value instanceof String name && allowed.contains(name))) {
      throw Refusal.forbidden(
          "class is not available on the server: " + key + "=" + shown(String.valueOf(value)));
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

  /** Has TinkerPop find what gremlin-javascript configures under a key of its own. */
  static void respell(Configuration configuration) {
    if (configuration.containsKey(LOG_WARNINGS)) {
      configuration.setProperty(LOG_WARNING, configuration.getProperty(LOG_WARNINGS));
      configuration.clearProperty(LOG_WARNINGS);
    }
  }

  /** A name from outside, fit for a message: whole unless it is longer than any that exists. */
  static String shown(String name) {
    String start = name.length() <= SHOWN ? name : name.substring(0, SHOWN);
    if (!start.codePoints().allMatch(c -> c >= 32 && c != 127)) {
      return "(not printable)";
    }
    int left = name.length() - start.length();
    return left == 0 ? start : start + " (and " + left + " more characters)";
  }

  private static Set<String> names(Class<?>... classes) {
    return Arrays.stream(classes)
        .flatMap(named -> Stream.of(named.getName(), named.getCanonicalName()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The words of several lines. */
  static Set<String> words(String... lines) {
    return Set.copyOf(Arrays.asList(String.join(" ", lines).split(" ", -1)));
  }
}
