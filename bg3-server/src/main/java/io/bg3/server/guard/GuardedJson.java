package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.structure.io.AbstractIoRegistry;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONIo;

/**
 * The GraphSON types of the server: TinkerPop's, with readers of sets and maps that check for hash
 * collisions ({@link HashedTypes}).
 */
public final class GuardedJson extends AbstractIoRegistry {
  /** The message serializer creates this registry by reflection. */
  public GuardedJson() {
    register(GraphSONIo.class, null, HashedTypes.json());
  }
}
