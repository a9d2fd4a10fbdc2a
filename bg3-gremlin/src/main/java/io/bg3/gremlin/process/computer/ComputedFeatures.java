package io.bg3.gremlin.process.computer;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/** The features of the result of a program: it can be read and computed on, and not changed. */
final class ComputedFeatures implements Graph.Features {
  @Override
  public GraphFeatures graph() {
    return new GraphFeatures() {
      @Override
      public boolean supportsTransactions() {
        return false;
      }

      @Override
      public boolean supportsThreadedTransactions() {
        return false;
      }

      @Override
      public boolean supportsPersistence() {
        return false;
      }

      @Override
      public VariableFeatures variables() {
        return new VariableFeatures() {
          @Override
          public boolean supportsVariables() {
            return false;
          }
        };
      }
    };
  }

  @Override
  public VertexFeatures vertex() {
    return new VertexFeatures() {
      @Override
      public VertexProperty.Cardinality getCardinality(String key) {
        return VertexProperty.Cardinality.single;
      }

      @Override
      public boolean supportsAddVertices() {
        return false;
      }

      @Override
      public boolean supportsRemoveVertices() {
        return false;
      }

      @Override
      public boolean supportsAddProperty() {
        return false;
      }

      @Override
      public boolean supportsRemoveProperty() {
        return false;
      }
    };
  }

  @Override
  public EdgeFeatures edge() {
    return new EdgeFeatures() {
      @Override
      public boolean supportsAddEdges() {
        return false;
      }

      @Override
      public boolean supportsRemoveEdges() {
        return false;
      }

      @Override
      public boolean supportsAddProperty() {
        return false;
      }

      @Override
      public boolean supportsRemoveProperty() {
        return false;
      }
    };
  }

  @Override
  public String toString() {
    return StringFactory.featureString(this);
  }
}
