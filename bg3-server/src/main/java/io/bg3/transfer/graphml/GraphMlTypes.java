package io.bg3.transfer.graphml;

import io.bg3.transfer.ValueType;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The names that GraphML has for types of values. */
final class GraphMlTypes {
  /** The key of a node's label. */
  static final String VERTEX_LABEL = "labelV";

  /** The key of an edge's label. */
  static final String EDGE_LABEL = "labelE";

  private static final Set<ValueType> TYPES =
      EnumSet.of(
          ValueType.BOOLEAN,
          ValueType.INT,
          ValueType.LONG,
          ValueType.FLOAT,
          ValueType.DOUBLE,
          ValueType.STRING);

  private GraphMlTypes() {}

  static Optional<ValueType> of(Object value) {
    return ValueType.of(value).filter(TYPES::contains);
  }

  /** The type with this name; text where a key says none. */
  static Optional<ValueType> named(String name) {
    return name == null
        ? Optional.of(ValueType.STRING)
        : TYPES.stream().filter(type -> name(type).equals(name)).findFirst();
  }

  static String name(ValueType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
