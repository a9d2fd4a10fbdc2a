package io.bg3.gremlin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceCallContext;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceFactory;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * The two services that TinkerPop's scenarios about {@code call()} expect to find, for any graph:
 * {@code tinker.search} gives properties whose text a pattern matches, {@code
 * tinker.degree.centrality} the number of a vertex's edges.
 */
@SuppressWarnings("rawtypes") // as the interfaces of services have it
public final class TinkerServices {
  private TinkerServices() {}

  /** Registers both. */
  public static void register(Graph graph) {
    graph.getServiceRegistry().registerService(new Search(graph));
    graph.getServiceRegistry().registerService(new DegreeCentrality());
  }

  /** A factory that is its service. */
  private abstract static class Simple<I, R> implements ServiceFactory<I, R>, Service<I, R> {
    private final String name;
    private final Service.Type type;

    Simple(String name, Service.Type type) {
      this.name = name;
      this.type = type;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public Service.Type getType() {
      return type;
    }

    @Override
    public Set<Service.Type> getSupportedTypes() {
      return Set.of(type);
    }

    @Override
    public Service<I, R> createService(boolean isStart, Map params) {
      if (isStart != (type == Service.Type.Start)) {
        throw new UnsupportedOperationException(
            isStart ? Exceptions.cannotStartTraversal : Exceptions.cannotUseMidTraversal);
      }
      return this;
    }

    @Override
    public void close() {}
  }

  private static final class Search extends Simple<Object, Property<?>> {
    private final Graph graph;

    Search(Graph graph) {
      super("tinker.search", Service.Type.Start);
      this.graph = graph;
    }

    @Override
    public Map<String, String> describeParams() {
      Map<String, String> described = new LinkedHashMap<>();
      described.put("search", "text that values contain");
      described.put("regex", "pattern that values match");
      described.put("type", "Vertex, Edge or VertexProperty: whose properties; all if absent");
      return described;
    }

    @Override
    public CloseableIterator<Property<?>> execute(ServiceCallContext context, Map params) {
      Object regex = params.get("regex");
      if (regex == null && !params.containsKey("search")) {
        throw new IllegalStateException("Missing search/regex parameter");
      }
      Pattern pattern =
          Pattern.compile(regex == null ? ".*(" + params.get("search") + ").*" : (String) regex);
      Object type = params.get("type");
      List<Property<?>> found = new ArrayList<>();
      if (type == null || type.equals("Vertex")) {
        collect(graph.vertices(), pattern, found);
      }
      if (type == null || type.equals("Edge")) {
        collect(graph.edges(), pattern, found);
      }
      if (type == null || type.equals("VertexProperty")) {
        graph.vertices().forEachRemaining(v -> collect(v.properties(), pattern, found));
      }
      return CloseableIterator.of(found.iterator());
    }

    private static void collect(
        Iterator<? extends Element> elements, Pattern pattern, List<Property<?>> found) {
      elements.forEachRemaining(
          element ->
              element
                  .properties()
                  .forEachRemaining(
                      property -> {
                        if (pattern.matcher(property.value().toString()).matches()) {
                          found.add(property);
                        }
                      }));
    }
  }

  private static final class DegreeCentrality extends Simple<Vertex, Long> {
    DegreeCentrality() {
      super("tinker.degree.centrality", Service.Type.Streaming);
    }

    @Override
    public Map<String, String> describeParams() {
      return Map.of("direction", "which edges of the vertex count; IN if absent");
    }

    @Override
    @SuppressWarnings("unchecked") // params is raw
    public CloseableIterator<Long> execute(
        ServiceCallContext context, Traverser.Admin<Vertex> in, Map params) {
      Direction direction = (Direction) params.getOrDefault("direction", Direction.IN);
      Long degree = IteratorUtils.count(in.get().edges(direction));
      return CloseableIterator.of(
          Collections.nCopies(Math.toIntExact(in.bulk()), degree).iterator());
    }
  }
}
