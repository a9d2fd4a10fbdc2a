package io.bg3.server.guard;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.Column;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Makes queries of every method that TinkerPop has for a step, found by reflection, with arguments
 * that are as large, deep, wide or strange as the types of its parameters allow.
 */
final class GeneratedQueries {
  /** Lists of two numbers that all have one hash: 31 a + b is the same for each. */
  static final List<List<Integer>> COLLIDING =
      IntStream.range(0, 3_000).mapToObj(i -> List.of(i, -31 * i)).toList();

  private static final String LONG = "a".repeat(200_000);

  private static final List<Number> INTEGERS =
      List.of(0, -1, 1, 2, 30, 1_000, 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE);

  private static final List<Number> LONGS =
      List.of(0L, -1L, 1L, 1L << 31, (1L << 32) + 5, Long.MAX_VALUE, Long.MIN_VALUE + (1L << 31));

  private static final List<Number> DECIMALS =
      List.of(
          0.0, -1.0, 0.5, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE);

  private static final List<Number> LARGE =
      List.of(
          BigInteger.TEN.pow(900), new BigDecimal("1e900"), new BigDecimal("1e-900"), 1, 2.5, 3L);

  private static final List<String> STRINGS =
      List.of(
          "",
          "a",
          "x",
          "name",
          "_",
          "%{_}".repeat(50),
          "%{".repeat(4_000),
          "(|)".repeat(60) + "x",
          "(a?a?)?".repeat(40),
          "(a+)+$",
          "(".repeat(2_000),
          "-".repeat(900),
          "a*".repeat(400) + "a",
          "1e999999999",
          "9".repeat(5_000),
          LONG,
          "\ud800\u0000'\"\\\n");

  private final Random random;

  GeneratedQueries(Random random) {
    this.random = random;
  }

  /** Every method of a traversal that adds a step, as long as its arguments can be generated. */
  static List<Method> steps() {
    return Arrays.stream(GraphTraversal.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> GraphTraversal.class.isAssignableFrom(method.getReturnType()))
        .filter(method -> !method.getReturnType().equals(GraphTraversal.Admin.class))
        .filter(method -> !Set.of("iterate", "clone").contains(method.getName()))
        .sorted(Comparator.comparing(Method::toString))
        .toList();
  }

  /** Adds a call of a method, or nothing if it takes functions, which no client can send. */
  boolean add(Bytecode query, Method method, int depth) {
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      if (type.isArray()) {
        int count = one(List.of(0, 1, 2, 3, random.nextInt(20) == 0 ? 150 : 4));
        for (int i = 0; i < count; i++) {
          Optional<Object> argument = argument(type.getComponentType(), depth);
          if (argument.isEmpty()) {
            return false;
          }
          arguments.add(argument.get());
        }
      } else {
        Optional<Object> argument = argument(type, depth);
        if (argument.isEmpty()) {
          return false;
        }
        arguments.add(argument.get());
      }
    }
    query.addStep(method.getName(), arguments.toArray());
    return true;
  }

  private Optional<Object> argument(Class<?> type, int depth) {
    if (type.isEnum()) {
      return Optional.of(one(Arrays.asList(type.getEnumConstants())));
    } else if (type == int.class || type == Integer.class) {
      return Optional.of(one(INTEGERS));
    } else if (type == long.class || type == Long.class) {
      return Optional.of(one(random.nextBoolean() ? LONGS : INTEGERS));
    } else if (type == double.class) {
      return Optional.of(one(DECIMALS));
    } else if (Number.class.isAssignableFrom(type)) {
      return Optional.of(one(LARGE));
    } else if (type == boolean.class) {
      return Optional.of(random.nextBoolean());
    } else if (type == String.class) {
      return Optional.of(one(STRINGS));
    } else if (type == Object.class) {
      return Optional.of(random.nextInt(4) == 0 ? nested(depth) : value());
    } else if (Traversal.class.isAssignableFrom(type)) {
      return Optional.of(nested(depth));
    } else if (P.class.isAssignableFrom(type)) {
      return Optional.of(predicate());
    } else if (type == Map.class) {
      return Optional.of(one(List.of(Map.of(), Map.of("a", 1), Map.of(T.label, "a", "b", LONG))));
    } else if (type == Comparator.class) {
      return Optional.of(one(Arrays.asList(Order.values())));
    } else if (type.getName().endsWith(".Function")) {
      return Optional.of(one(List.of(T.id, T.label, Column.keys, Column.values)));
    } else if (type == OffsetDateTime.class) {
      return Optional.of(OffsetDateTime.MAX);
    }
    return constants(type);
  }

  /** Interfaces of which TinkerPop's enumerations are the only values that a client can send. */
  private Optional<Object> constants(Class<?> type) {
    List<Object> constants =
        Stream.of(
                "process.traversal.Operator",
                "process.traversal.SackFunctions$Barrier",
                "structure.VertexProperty$Cardinality")
            .map(GeneratedQueries::enumeration)
            .filter(type::isAssignableFrom)
            .flatMap(found -> Arrays.stream(found.getEnumConstants()))
            .collect(Collectors.toList());
    return constants.isEmpty() ? Optional.empty() : Optional.of(one(constants));
  }

  private static Class<?> enumeration(String name) {
    try {
      return Class.forName("org.apache.tinkerpop.gremlin." + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** A value of any type that a message can carry. */
  Object value() {
    List<Supplier<Object>> values =
        List.of(
            () -> one(INTEGERS),
            () -> one(LONGS),
            () -> one(DECIMALS),
            () -> one(LARGE),
            () -> one(STRINGS),
            () -> List.of(),
            () -> COLLIDING,
            () -> new LinkedHashSet<>(COLLIDING.subList(0, 60)),
            () -> IntStream.range(0, 20_000).boxed().toList(),
            () -> Collections.nCopies(20_000, "a"),
            () -> Collections.nCopies(200, Collections.nCopies(200, 1)),
            () -> deep(180),
            () -> new HashMap<>(Map.of("a", List.of(1, 2), "b", Map.of("c", 1))),
            () -> true,
            () -> T.id);
    return one(values).get();
  }

  private static Object deep(int depth) {
    Object value = 1;
    for (int i = 0; i < depth; i++) {
      value = List.of(value);
    }
    return value;
  }

  private P<?> predicate() {
    List<Supplier<P<?>>> predicates =
        List.of(
            () -> P.gt(one(INTEGERS)),
            () -> P.between(0, Long.MAX_VALUE),
            () -> P.within(COLLIDING),
            () -> P.without(IntStream.range(0, 20_000).boxed().toList()),
            () -> P.eq(value()),
            () -> P.neq(value()),
            () -> P.gt(1).and(P.lt(100)).or(P.eq("a")).negate(),
            () -> TextP.containing(one(STRINGS)),
            () -> regex(one(STRINGS)),
            () -> regex("(a|aa)*b"),
            () -> regex("(x?){30}$"));
    return one(predicates).get();
  }

  private static P<?> regex(String expression) {
    try {
      return TextP.regex(expression);
    } catch (RuntimeException | StackOverflowError e) { // no expression, as the reader would say
      return P.eq(expression.length());
    }
  }

  private Bytecode nested(int depth) {
    Bytecode nested = new Bytecode();
    int levels = random.nextInt(12) == 0 ? 40 : 1;
    if (depth > 2) {
      nested.addStep("identity");
      return nested;
    }
    if (levels > 1) {
      String step =
          one(
              List.of(
                  "local",
                  "map",
                  "flatMap",
                  "where",
                  "not",
                  "repeat",
                  "optional",
                  "union",
                  "coalesce",
                  "filter",
                  "sideEffect",
                  "choose"));
      Bytecode inner = new Bytecode();
      inner.addStep("out");
      for (int i = 0; i < levels; i++) {
        Bytecode outer = new Bytecode();
        outer.addStep(step, inner);
        if (step.equals("repeat")) {
          outer.addStep("times", 2);
        }
        inner = outer;
      }
      return inner;
    }
    int steps = 1 + random.nextInt(2);
    for (int i = 0; i < steps; i++) {
      List<Method> all = steps();
      if (random.nextBoolean() || !add(nested, one(all), depth + 1)) {
        nested.addStep(one(List.of("identity", "out", "path", "fold", "unfold", "both", "id")));
      }
    }
    return nested;
  }

  /**
   * The input of the steps: elements, lists, texts and numbers, few and many, with and without
   * paths.
   */
  Bytecode start() {
    Bytecode query = new Bytecode();
    switch (random.nextInt(10)) {
      case 0 -> query.addStep("V");
      case 1 -> {
        query.addStep("V");
        query.addStep("both");
        query.addStep("both");
        query.addStep("path");
      }
      case 2 -> {
        query.addStep("inject", COLLIDING);
        query.addStep("unfold");
      }
      case 3 -> {
        query.addStep("inject", IntStream.range(0, 20_000).boxed().toArray());
        query.addStep("fold");
      }
      case 4 -> query.addStep("inject", LONG, "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
      case 5 -> {
        query.addStep("V");
        query.addStep("barrier");
        query.addStep("aggregate", "x");
        query.addStep("as", "a");
      }
      case 6 -> {
        query.addStep("inject", 1);
        Bytecode doubled = new Bytecode();
        Bytecode identity = new Bytecode();
        identity.addStep("identity");
        doubled.addStep("union", identity, identity);
        query.addStep("repeat", doubled);
        query.addStep("times", 50); // a bulk of 2^50
      }
      case 7 -> query.addStep("E");
      default -> query.addStep("inject", value(), value());
    }
    return query;
  }

  /** Puts a step into a loop, a branch or what counts, groups or compares its results. */
  void wrap(Bytecode query, Bytecode steps) {
    switch (random.nextInt(8)) {
      case 0 -> {
        query.addStep("repeat", steps);
        query.addStep("times", one(List.of(2, 60, 1_000, 1_000_000)));
      }
      case 1 -> query.addStep("local", steps);
      case 2 -> {
        query.addStep("map", steps);
        query.addStep("path");
      }
      case 3 -> {
        for (int i = 0; i < 60; i++) {
          steps
              .getStepInstructions()
              .forEach(s -> query.addStep(s.getOperator(), s.getArguments()));
        }
      }
      case 4 -> {
        query.addStep("group");
        query.addStep("by", steps);
      }
      case 5 -> query.addStep("union", Collections.nCopies(90, steps).toArray());
      default ->
          steps
              .getStepInstructions()
              .forEach(s -> query.addStep(s.getOperator(), s.getArguments()));
    }
    switch (random.nextInt(7)) {
      case 0 -> query.addStep("dedup");
      case 1 -> query.addStep("groupCount");
      case 2 -> query.addStep("fold");
      case 3 -> query.addStep("barrier");
      case 4 -> query.addStep("order");
      case 5 -> query.addStep("count");
      default -> {}
    }
  }

  <E> E one(List<E> list) {
    return list.get(random.nextInt(list.size()));
  }
}
