package io.bg3.server.request;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;

/**
 * The shape of a query for people: its steps, and of each argument the kind but not the value. So
 * {@code g.V(1).has("name", "ada")} is {@code g.V(Integer).has(String, String)}.
 *
 * <p>Belongs to one thread; the bytecode may be read by others meanwhile.
 */
public final class QueryShape {
  private final StringBuilder text = new StringBuilder();
  private final int most;

  private QueryShape(int most) {
    this.most = most;
  }

  /**
   * The shape of bytecode.
   *
   * @param most characters after which nothing more is added but "..."
   */
  public static String of(Bytecode query, int most) {
    QueryShape shape = new QueryShape(most);
    shape.text.append('g');
    shape.steps(query);
    return shape.cut();
  }

  /** The kind of a value, as it stands in a shape. */
  public static String kind(Object value, int most) {
    QueryShape shape = new QueryShape(most);
    shape.argument(value);
    return shape.cut();
  }

  /** The kinds of parameters by their names, which are the client's own words. */
  public static Map<String, String> kinds(Map<?, ?> parameters, int count, int most) {
    Map<String, String> kinds = new TreeMap<>();
    for (Map.Entry<?, ?> parameter : parameters.entrySet()) {
      if (kinds.size() >= count) {
        break;
      }
      kinds.put(String.valueOf(parameter.getKey()), kind(parameter.getValue(), most));
    }
    return kinds;
  }

  private String cut() {
    return text.length() > most ? text.substring(0, most) + "..." : text.toString();
  }

  private void steps(Bytecode query) {
    instructions(query.getSourceInstructions());
    instructions(query.getStepInstructions());
  }

  private void instructions(List<Bytecode.Instruction> instructions) {
    for (Bytecode.Instruction step : instructions) {
      if (text.length() > most) {
        return;
      }
      text.append('.').append(step.getOperator());
      arguments(Arrays.asList(step.getArguments()));
    }
  }

  private void arguments(Collection<?> values) {
    text.append('(');
    String separator = "";
    for (Object value : values) {
      if (text.length() > most) {
        return;
      }
      text.append(separator);
      argument(value);
      separator = ", ";
    }
    text.append(')');
  }

  private void argument(Object value) {
    if (value == null) {
      text.append("null");
    } else if (value instanceof Bytecode.Binding<?> binding) {
      argument(binding.value());
    } else if (value instanceof Bytecode nested) {
      text.append("__");
      steps(nested);
    } else if (value instanceof ConnectiveP<?> several) {
      text.append(several.getClass().getSimpleName());
      arguments(several.getPredicates());
    } else if (value instanceof P<?> predicate) {
      text.append(name(predicate.getBiPredicate()));
      arguments(Collections.singletonList(predicate.getValue()));
    } else if (value instanceof Map<?, ?> map) {
      text.append("Map[").append(map.size()).append(']');
    } else if (value instanceof Collection<?> collection) {
      text.append(collection instanceof List ? "List[" : "Set[");
      text.append(collection.size()).append(']');
    } else {
      text.append(name(value));
    }
  }

  /** A word of Gremlin's stands for itself, and another value for its class. */
  private static String name(Object value) {
    if (value instanceof Enum<?> word) {
      return word.name();
    }
    String name = value.getClass().getSimpleName();
    return name.isEmpty() ? "Object" : name;
  }
}
