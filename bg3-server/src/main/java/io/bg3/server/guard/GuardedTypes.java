package io.bg3.server.guard;

import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;
import org.apache.tinkerpop.gremlin.structure.io.binary.TypeSerializerRegistry;

/**
 * The types of GraphBinary as the server reads them: TinkerPop's, with predicates, sets and maps of
 * our own.
 */
public final class GuardedTypes extends TypeSerializerRegistry.Builder {
  /** Made by name, by the serializer. */
  @SuppressWarnings({
    "unchecked",
    "rawtypes"
  }) // a class of generic predicates has no type arguments
  public GuardedTypes() {
    for (Class type : new Class[] {P.class, AndP.class, OrP.class, NotP.class}) {
      add(type, new Predicates<>(DataType.P, type));
    }
    add(TextP.class, new Predicates<>(DataType.TEXTP, TextP.class));
    add(Set.class, new HashedTypes.Sets());
    add(Map.class, new HashedTypes.Maps());
  }
}
