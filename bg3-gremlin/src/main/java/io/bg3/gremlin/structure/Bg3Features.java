package io.bg3.gremlin.structure;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.VertexId;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * The features of a graph. A feature that is not named here has the interface's default.
 *
 * <p>About ids: a matrix says which classes {@code id()} answers with as they were given, {@code
 * willAllowId} what may be given. A decimal string is accepted as the Long that it is, so vertices
 * do not claim string ids unless the graph shows all ids as strings.
 */
public final class Bg3Features implements Graph.Features {
  private final boolean persistent;
  private final Bg3VertexIds ids;
  private final VertexProperty.Cardinality cardinality;

  Bg3Features(boolean persistent, Bg3VertexIds ids, VertexProperty.Cardinality cardinality) {
    this.persistent = persistent;
    this.ids = ids;
    this.cardinality = cardinality;
  }

  @Override
  public GraphFeatures graph() {
    return new OfGraph();
  }

  @Override
  public VertexFeatures vertex() {
    return new OfVertices();
  }

  @Override
  public EdgeFeatures edge() {
    return new OfEdges();
  }

  @Override
  public String toString() {
    return StringFactory.featureString(this);
  }

  /** The features of the graph as a whole. */
  public final class OfGraph implements GraphFeatures {
    OfGraph() {}

    @Override
    public boolean supportsConcurrentAccess() {
      return false; // one process a directory
    }

    @Override
    public boolean supportsPersistence() {
      return persistent;
    }

    @Override
    public boolean supportsThreadedTransactions() {
      return true;
    }

    @Override
    public boolean supportsServiceCall() {
      return true;
    }

    @Override
    public VariableFeatures variables() {
      return new OfVariables();
    }
  }

  /** The types of variables. */
  public static final class OfVariables implements Graph.Features.VariableFeatures {
    OfVariables() {}

    @Override
    public boolean supportsSerializableValues() {
      return false;
    }
  }

  /** The features of vertices. */
  public final class OfVertices implements VertexFeatures {
    OfVertices() {}

    @Override
    public VertexProperty.Cardinality getCardinality(String key) {
      return cardinality;
    }

    @Override
    public VertexPropertyFeatures properties() {
      return new OfVertexProperties();
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsNumericIds() {
      return ids != Bg3VertexIds.STRING;
    }

    @Override
    public boolean supportsStringIds() {
      return ids == Bg3VertexIds.STRING;
    }

    @Override
    public boolean supportsUuidIds() {
      return ids != Bg3VertexIds.STRING;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return VertexId.allows(id);
    }
  }

  /** Whether an id may be given to an edge: integers, UUIDs and text not of the allocated form. */
  static boolean allowsEdgeId(Object id) {
    return VertexId.sought(id) != null
        && !(id instanceof Float || id instanceof Double || id instanceof java.math.BigDecimal)
        && !(id instanceof String text && EdgeId.parse(text) != null);
  }

  /** The features of edges. */
  public static final class OfEdges implements EdgeFeatures {
    OfEdges() {}

    @Override
    public EdgePropertyFeatures properties() {
      return new OfEdgeProperties();
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return allowsEdgeId(id);
    }
  }

  /** The types of an edge's properties. */
  public static final class OfEdgeProperties implements EdgePropertyFeatures {
    OfEdgeProperties() {}

    @Override
    public boolean supportsSerializableValues() {
      return false;
    }
  }

  /** The features of vertex properties. */
  public static final class OfVertexProperties implements VertexPropertyFeatures {
    OfVertexProperties() {}

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return PropertyId.allows(id);
    }

    @Override
    public boolean supportsSerializableValues() {
      return false;
    }
  }
}
