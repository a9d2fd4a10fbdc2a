package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.structure.io.AbstractIoRegistry;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONIo;

/** The types of GraphSON as the server reads them: TinkerPop's, with sets and maps of our own. */
public final class GuardedJson extends AbstractIoRegistry {
  /** Made by name, by the serializer. */
  public GuardedJson() {
    register(GraphSONIo.class, null, HashedTypes.json());
  }
}
