package io.bg3.server.guard;

import java.io.IOException;
import java.util.Arrays;
import org.apache.tinkerpop.gremlin.process.traversal.GType;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.structure.io.Buffer;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;
import org.apache.tinkerpop.gremlin.structure.io.binary.types.PSerializer;

/**
 * Reads predicates of GraphBinary by name. TinkerPop's reader finds the factory method by
 * reflection and caches it, without a bound, by name and list of argument types; a client that
 * sends lists of ids of ever new lengths fills the heap with that cache.
 *
 * <p>Threads: any; without state.
 *
 * @param <T> the class of predicates that the serializer writes
 */
final class Predicates<T extends P<?>> extends PSerializer<T> {
  Predicates(DataType type, Class<T> written) {
    super(type, written);
  }

  @Override
  @SuppressWarnings(
      "unchecked") // TinkerPop reads all predicates of a type code with one serializer
  protected T readValue(Buffer buffer, GraphBinaryReader reader) throws IOException {
    String name = reader.readValue(buffer, String.class, false);
    int count = buffer.readInt();
    if (count < 0 || count > buffer.readableBytes()) {
      throw new IOException("predicate has a wrong number of values: count=" + count);
    }
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = reader.read(buffer);
    }
    try {
      return (T) predicate(name, values);
    } catch (ClassCastException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("predicate has values that are not of its kind: name=" + name, e);
    }
  }

  private static P<?> predicate(String name, Object... values) throws IOException {
    return switch (name) {
      case "within" -> P.within(Arrays.asList(values));
      case "without" -> P.without(Arrays.asList(values));
      case "eq" -> P.eq(values[0]);
      case "neq" -> P.neq(values[0]);
      case "lt" -> P.lt(values[0]);
      case "lte" -> P.lte(values[0]);
      case "gt" -> P.gt(values[0]);
      case "gte" -> P.gte(values[0]);
      case "inside" -> P.inside(values[0], values[1]);
      case "outside" -> P.outside(values[0], values[1]);
      case "between" -> P.between(values[0], values[1]);
      case "typeOf" ->
          values[0] instanceof GType type ? P.typeOf(type) : P.typeOf((String) values[0]);
      default -> name.matches("and|or|not") ? joined(name, values) : ofText(name, values);
    };
  }

  @SuppressWarnings("unchecked") // predicates over any type
  private static P<?> joined(String name, Object... values) {
    P<Object> first = (P<Object>) values[0];
    return switch (name) {
      case "and" -> first.and((P<Object>) values[1]);
      case "or" -> first.or((P<Object>) values[1]);
      default -> P.not(first);
    };
  }

  private static P<?> ofText(String name, Object... values) throws IOException {
    String text = (String) values[0];
    return switch (name) {
      case "startingWith" -> TextP.startingWith(text);
      case "notStartingWith" -> TextP.notStartingWith(text);
      case "endingWith" -> TextP.endingWith(text);
      case "notEndingWith" -> TextP.notEndingWith(text);
      case "containing" -> TextP.containing(text);
      case "notContaining" -> TextP.notContaining(text);
      case "regex" -> TextP.regex(text);
      case "notRegex" -> TextP.notRegex(text);
      default -> throw new IOException("predicate is not known: name=" + AllowList.shown(name));
    };
  }
}
