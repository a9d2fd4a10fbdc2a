package io.bg3.server.guard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;

/** Writes bytecode as a text of gremlin-lang, as far as the grammar can say it. */
final class QueryTexts {
  private QueryTexts() {}

  static String text(Bytecode query) {
    return "g" + steps(query);
  }

  private static String steps(Bytecode query) {
    return Stream.concat(
            query.getSourceInstructions().stream(), query.getStepInstructions().stream())
        .map(step -> "." + step.getOperator() + "(" + list(List.of(step.getArguments())) + ")")
        .collect(Collectors.joining());
  }

  private static String list(Collection<?> values) {
    return values.stream().map(QueryTexts::value).collect(Collectors.joining(","));
  }

  private static String value(Object value) {
    if (value instanceof Bytecode nested) {
      return "__" + steps(nested);
    } else if (value instanceof P<?> predicate) {
      return predicate(predicate);
    } else if (value instanceof String text) {
      return "'" + StringEscapeUtils.escapeJava(text).replace("'", "\\'") + "'";
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> "(" + value(entry.getKey()) + "):" + value(entry.getValue()))
          .collect(Collectors.joining(",", "[", map.isEmpty() ? ":]" : "]"));
    } else if (value instanceof Set<?> set) {
      return "{" + list(set) + "}";
    } else if (value instanceof Collection<?> collection) {
      return "[" + list(collection) + "]";
    } else if (value instanceof Enum<?> constant) {
      return constant.getDeclaringClass().getSimpleName() + "." + constant.name();
    } else if (value instanceof Number number) {
      return number(number);
    }
    return String.valueOf(value);
  }

  private static String number(Number number) {
    if (number instanceof Double real) {
      return real.isNaN()
          ? "NaN"
          : real.isInfinite() ? (real > 0 ? "+Infinity" : "-Infinity") : real + "d";
    }
    String suffix =
        number instanceof Long
            ? "l"
            : number instanceof BigInteger ? "n" : number instanceof BigDecimal ? "m" : "";
    return number + suffix;
  }

  private static String predicate(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> connective) {
      String joint = predicate instanceof AndP ? ".and(" : ".or(";
      List<String> parts = connective.getPredicates().stream().map(QueryTexts::predicate).toList();
      return parts.get(0)
          + parts.stream().skip(1).map(part -> joint + part + ")").collect(Collectors.joining());
    } else if (predicate.getBiPredicate() instanceof Text.RegexPredicate regex) {
      return "TextP.regex(" + value(regex.getPattern()) + ")";
    }
    String owner = predicate instanceof TextP ? "TextP." : "P.";
    return owner + predicate.getPredicateName() + "(" + value(predicate.getValue()) + ")";
  }
}
