package io.bg3.transfer.graphml;

import io.bg3.transfer.ValueType;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The names of value types in GraphML. */
final class GraphMlTypes {
  /** The key of the label of a node. */
  static final String VERTEX_LABEL = "labelV";

  /** The key of the label of an edge. */
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

  /** Returns the type with a name; string if a key has no type. */
  static Optional<ValueType> named(String name) {
    return name == null
        ? Optional.of(ValueType.STRING)
        : TYPES.stream().filter(type -> name(type).equals(name)).findFirst();
  }

  static String name(ValueType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
