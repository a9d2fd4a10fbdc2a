package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;

/**
 * Every step of TinkerPop that takes a number, with numbers that size what it allocates: the steps
 * are the methods of {@link GraphTraversal}, so those of another version are tried too.
 */
final class ExtremeNumbers extends Attack {
  private static final int CONNECTIONS = 8;
  private static final int MESSAGES = 96;
  private static final long PAUSE_MILLIS = 20;
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, double.class, Integer.class, Long.class, Number.class);
  private static final List<Number> EXTREMES =
      List.of(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE - 8,
          Integer.MIN_VALUE,
          -1,
          0,
          100_000_000,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          Double.MAX_VALUE,
          BigInteger.TEN.pow(5_000));
  private static final List<Method> STEPS =
      Arrays.stream(GraphTraversal.class.getMethods())
          .filter(method -> GraphTraversal.class.isAssignableFrom(method.getReturnType()))
          .filter(method -> Arrays.stream(method.getParameterTypes()).anyMatch(NUMBERS::contains))
          .sorted(Comparator.comparing(Method::toString)) // or a seed repeats nothing
          .toList();

  private final List<ByteBuffer> pool = pool(MESSAGES, this::message);

  ExtremeNumbers(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    Query query = query();
    return random().nextBoolean()
        ? Frames.binary(Messages.request(query.text()))
        : Frames.binary(Messages.binary(query.bytecode()));
  }

  private Query query() {
    Method step = pick(STEPS);
    Object[] arguments =
        Arrays.stream(step.getParameterTypes()).map(this::argument).toArray(Object[]::new);
    Query query =
        switch (random().nextInt(4)) {
          case 0 -> Query.vertices();
          case 1 -> Query.inject("abc");
          case 2 -> Query.inject(List.of(1, 2, 3));
          default -> Query.inject(1, 2, 3);
        };
    if (step.getName().equals("times")) {
      query = query.step("repeat", Query.empty().step("identity"));
    }
    query = query.step(step.getName(), arguments);
    return random().nextInt(4) == 0 ? Query.inject(1).step("map", query.step("fold")) : query;
  }

  private Object argument(Class<?> type) {
    if (NUMBERS.contains(type)) {
      return pick(EXTREMES);
    } else if (type == Scope.class) {
      return pick(List.of(Scope.local, Scope.global));
    } else if (type == String[].class || type == Object[].class) {
      return "x";
    }
    return type.isEnum() ? pick(Arrays.asList(type.getEnumConstants())) : "x";
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
  }
}
