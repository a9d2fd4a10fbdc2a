package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
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
 * The steps, source options and strategies that a client's query may use. The server refuses
 * everything that this class does not list, including steps that a later version of TinkerPop adds.
 *
 * <p>The list leaves out on purpose: {@code io}, {@code read} and {@code write}, which access files
 * of the server; {@code program}, {@code pageRank}, {@code peerPressure}, {@code
 * connectedComponent}, {@code shortestPath} and {@code withComputer}, which compute over the whole
 * graph; {@code withoutStrategies} and {@code withRemote}; and every strategy that names a class,
 * runs client code or undoes another strategy.
 *
 * <p>Threads: any; all state is immutable.
 */
public final class AllowList {
  /** Steps, start steps included, by the names that bytecode and the grammar give them. */
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

  /**
   * Steps that write. {@code call} is not among them: whether a call writes depends on the service.
   */
  private static final Set<String> WRITES = words("addE addV drop mergeE mergeV property");

  /** Source steps other than {@code withStrategies}. */
  private static final Set<String> SOURCES = words("withBulk withPath withSack withSideEffect");

  /** Terminal steps of a query text; bytecode has none. */
  private static final Set<String> TERMINALS =
      words("explain hasNext iterate next toBulkSet toList toSet tryNext");

  /** Options of a source, set by {@code with(key, value)} or {@code OptionsStrategy}. */
  private static final Set<String> OPTIONS =
      words(
          "batchSize bulkResults evaluationTimeout materializeProperties requestId"
              + " scriptEvaluationTimeout userAgent");

  /**
   * Strategies without configuration that TinkerPop applies anyway, or that change only how a query
   * runs and not what it can do.
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

  /**
   * The key of two strategies as gremlin-javascript spells it; TinkerPop reads {@link
   * #LOG_WARNING}.
   */
  private static final String LOG_WARNINGS = "logWarnings";

  private static final String LOG_WARNING = "logWarning";

  /** Strategies that a source may configure, with their configuration keys. */
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
      "clients cannot access files of the server; use 'bg3 load' and 'bg3 export'";

  private static final String WHOLE_GRAPH =
      "the server does not run computations over the whole graph: they use memory and threads that"
          + " no limit of a request covers; run them embedded, or on a copy of the store";

  /** The longest name in a message, in characters; TinkerPop's longest class name has 120. */
  private static final int SHOWN = 200;

  private static final Map<Class<?>, Set<String>> STRATEGIES = new HashMap<>(CONFIGURED_STRATEGIES);

  static {
    PLAIN_STRATEGIES.forEach(strategy -> STRATEGIES.put(strategy, Set.of()));
  }

  /**
   * Keys whose value names a class that TinkerPop loads, with the class names that a query may use.
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

  /** The reason for refusing a step or source step that users know from TinkerPop. */
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
              "withoutStrategies", "a query cannot remove the strategies that the server sets"),
          Map.entry("withRemote", "the server connects to no other server"));

  private AllowList() {}

  static void requireStep(String name) throws Refusal {
    if (!STEPS.contains(name)) {
      throw Refusal.forbidden(
          "step is not available on the server: step=" + shown(name) + reason(name));
    }
  }

  /** Whether a query may use this step. */
  static boolean isStep(String name) {
    return STEPS.contains(name);
  }

  /**
   * Whether this class decides about the step by name: it is allowed, or refused for a stated
   * reason.
   */
  static boolean isKnown(String name) {
    return STEPS.contains(name) || REASONS.containsKey(name);
  }

  private static String reason(String name) {
    return REASONS.containsKey(name) ? ", reason=" + REASONS.get(name) : "";
  }

  /** Throws a refusal for a step that writes. */
  static void requireReading(String name) throws Refusal {
    if (WRITES.contains(name)) {
      throw Refusal.forbidden("this request may only read: step=" + name);
    }
  }

  static void requireSource(String name) throws Refusal {
    if (!SOURCES.contains(name)) {
      throw Refusal.forbidden(
          "source step is not available on the server: step=" + shown(name) + reason(name));
    }
  }

  static void requireTerminal(String name) throws Refusal {
    if (!TERMINALS.contains(name)) {
      throw Refusal.forbidden("terminal step is not available on the server: step=" + shown(name));
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
          "strategy key is not available on the server: strategy="
              + simpleName
              + ", key="
              + shown(key)
              + ", known="
              + new TreeSet<>(BY_SIMPLE_NAME.get(simpleName)));
    }
  }

  /** Checks a configuration value of a strategy; the key has passed {@link #requireStrategyKey}. */
  static void requireStrategyValue(String key, Object value) throws Refusal {
    Set<String> allowed = CLASS_NAMES.get(key);
    if (allowed != null && !(value instanceof String name && allowed.contains(name))) {
      throw Refusal.forbidden(
          "class is not available on the server: " + key + "=" + shown(String.valueOf(value)));
    }
  }

  static void requireStrategy(Class<?> strategy) throws Refusal {
    if (!STRATEGIES.containsKey(strategy)) {
      // A class of another package may have the simple name of an allowed strategy; the
      // question mark makes the lookup fail.
      requireStrategy(strategy.getSimpleName() + "?");
    }
  }

  /**
   * Whether a message may name this class. Looking up a class by name loads it and runs its
   * initializer, and the outcome tells the client whether the server has the class.
   */
  static boolean isClassAllowed(String name) {
    return CLASSES.contains(name);
  }

  /** Copies the value that gremlin-javascript sends as {@code logWarnings} to TinkerPop's key. */
  static void respell(Configuration configuration) {
    if (configuration.containsKey(LOG_WARNINGS)) {
      configuration.setProperty(LOG_WARNING, configuration.getProperty(LOG_WARNINGS));
      configuration.clearProperty(LOG_WARNINGS);
    }
  }

  /**
   * A name from a client in a form that is safe in a message: cut at {@value #SHOWN} characters,
   * and replaced if it contains control characters.
   */
  public static String shown(String name) {
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

  /** Splits lines into a set of words. */
  static Set<String> words(String... lines) {
    return Set.copyOf(Arrays.asList(String.join(" ", lines).split(" ", -1)));
  }
}
