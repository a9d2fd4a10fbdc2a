package io.bg3.server.hostile;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;

/**
 * A query by the names of its steps, which can be sent as text and as bytecode. No step is made for
 * it, so a query may hold what a step would not survive.
 */
final class Query {
  private record Call(String step, List<Object> arguments) {}

  private final List<Call> calls;

  private Query(List<Call> calls) {
    this.calls = calls;
  }

  /** The query without steps. */
  static Query empty() {
    return new Query(List.of());
  }

  /** A query that begins with values. */
  static Query inject(Object... values) {
    return empty().step("inject", values);
  }

  static Query vertices() {
    return empty().step("V");
  }

  /** This query with one more step; an argument may be a query itself. */
  Query step(String name, Object... arguments) {
    List<Call> more = new ArrayList<>(calls);
    more.add(new Call(name, List.of(arguments)));
    return new Query(more);
  }

  /** The query behind the source {@code g}. */
  String text() {
    return text("g");
  }

  private String text(String source) {
    return source
        + calls.stream()
            .map(
                call ->
                    "."
                        + call.step()
                        + call.arguments().stream()
                            .map(Query::shown)
                            .collect(Collectors.joining(",", "(", ")")))
            .collect(Collectors.joining());
  }

  private static String shown(Object argument) {
    if (argument instanceof Query nested) {
      return nested.text("__");
    } else if (argument instanceof String text) {
      return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
    } else if (argument instanceof Long number) {
      return number + "L";
    } else if (argument instanceof Double number) {
      return number + "d";
    } else if (argument instanceof BigInteger number) {
      return number + "n";
    } else if (argument instanceof Enum<?> constant) {
      return constant.getDeclaringClass().getSimpleName() + "." + constant.name();
    } else if (argument instanceof List<?> list) {
      return list.stream().map(Query::shown).collect(Collectors.joining(",", "[", "]"));
    } else if (argument instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> "(" + shown(entry.getKey()) + "):" + shown(entry.getValue()))
          .collect(Collectors.joining(",", "[", "]"));
    }
    return String.valueOf(argument);
  }

  Bytecode bytecode() {
    Bytecode bytecode = new Bytecode();
    for (Call call : calls) {
      bytecode.addStep(
          call.step(),
          call.arguments().stream()
              .map(each -> each instanceof Query nested ? nested.bytecode() : each)
              .toArray());
    }
    return bytecode;
  }

  @Override
  public String toString() {
    return text();
  }
}
