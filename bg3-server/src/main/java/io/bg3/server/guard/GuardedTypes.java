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
 * The GraphBinary types of the server: TinkerPop's, with readers of predicates ({@link Predicates})
 * and of sets and maps ({@link HashedTypes}) that are safe with hostile messages.
 */
public final class GuardedTypes extends TypeSerializerRegistry.Builder {
  /** The message serializer creates this builder by reflection. */
  @SuppressWarnings({
    "unchecked",
    "rawtypes"
  }) // the class literal of a generic predicate has no type arguments
  public GuardedTypes() {
    for (Class type : new Class[] {P.class, AndP.class, OrP.class, NotP.class}) {
      add(type, new Predicates<>(DataType.P, type));
    }
    add(TextP.class, new Predicates<>(DataType.TEXTP, TextP.class));
    add(Set.class, new HashedTypes.Sets());
    add(Map.class, new HashedTypes.Maps());
  }
}
