package io.bg3.docs;

import io.bg3.gremlin.structure.Bg3Graph;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.FeatureDescriptor;

/** The features that a graph in a directory declares false, and why. */
final class DeclaredFeatures {
  private static final String ONE_CLASS =
      "Ids are integers, UUIDs and strings: what every driver can send and every store can sort."
          + " A class of one's own would have to be on both sides of the wire.";
  private static final String NULLS =
      "Null stands for nothing: setting it removes the property. `has(key, null)` finds nothing.";
  private static final String SERIALIZABLE =
      "Java serialisation would make the store readable from Java alone, and run code while"
          + " reading. Every class that TinkerPop names is stored as itself.";

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry(
              "GraphFeatures.ConcurrentAccess",
              "One process has a store open. The server is how several share it."),
          Map.entry("VariableFeatures.SerializableValues", SERIALIZABLE),
          Map.entry(
              "VertexFeatures.StringIds",
              "A string may be given, but `\"17\"` comes back as the Long 17, since both are one"
                  + " vertex from every driver. With `bg3.graph.ids=string` this is true, and ids"
                  + " are strings only."),
          Map.entry("VertexFeatures.CustomIds", ONE_CLASS),
          Map.entry("VertexFeatures.AnyIds", ONE_CLASS),
          Map.entry("VertexFeatures.NullPropertyValues", NULLS),
          Map.entry(
              "VertexFeatures.Upsert",
              "Adding a vertex whose id is there is an error; `mergeV()` is the upsert."),
          Map.entry("VertexPropertyFeatures.CustomIds", ONE_CLASS),
          Map.entry("VertexPropertyFeatures.AnyIds", ONE_CLASS),
          Map.entry("VertexPropertyFeatures.NullPropertyValues", NULLS),
          Map.entry("VertexPropertyFeatures.SerializableValues", SERIALIZABLE),
          Map.entry("EdgeFeatures.CustomIds", ONE_CLASS),
          Map.entry("EdgeFeatures.AnyIds", ONE_CLASS),
          Map.entry("EdgeFeatures.NullPropertyValues", NULLS),
          Map.entry(
              "EdgeFeatures.Upsert",
              "Adding an edge whose id is there is an error; `mergeE()` is the upsert."),
          Map.entry("EdgePropertyFeatures.SerializableValues", SERIALIZABLE));

  private DeclaredFeatures() {}

  /** Each feature that is false with its reason; the reason is null where none is known. */
  static Map<String, String> declaredFalse(Path directory) throws ReflectiveOperationException {
    Map<String, String> found = new TreeMap<>();
    try (Bg3Graph graph = Bg3Graph.open(directory.toString())) {
      Graph.Features features = graph.features();
      collect(Graph.Features.GraphFeatures.class, features.graph(), found);
      collect(Graph.Features.VariableFeatures.class, features.graph().variables(), found);
      collect(Graph.Features.VertexFeatures.class, features.vertex(), found);
      collect(Graph.Features.VertexPropertyFeatures.class, features.vertex().properties(), found);
      collect(Graph.Features.EdgeFeatures.class, features.edge(), found);
      collect(Graph.Features.EdgePropertyFeatures.class, features.edge().properties(), found);
    }
    return found;
  }

  /** Reasons for features that are not declared false any more. */
  static Set<String> superfluous(Map<String, String> declaredFalse) {
    Set<String> left = new TreeSet<>(REASONS.keySet());
    left.removeAll(declaredFalse.keySet());
    return left;
  }

  private static void collect(Class<?> kind, Object features, Map<String, String> found)
      throws ReflectiveOperationException {
    for (Method method : kind.getMethods()) {
      FeatureDescriptor descriptor = method.getAnnotation(FeatureDescriptor.class);
      if (descriptor != null && Boolean.FALSE.equals(method.invoke(features))) {
        String name = kind.getSimpleName() + "." + descriptor.name();
        found.put(name, REASONS.get(name));
      }
    }
  }
}
