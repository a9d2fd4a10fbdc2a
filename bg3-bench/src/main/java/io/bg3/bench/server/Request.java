package io.bg3.bench.server;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** A request of an ordinary client about a vertex. */
public enum Request {
  /** The name of a vertex. */
  POINT("g.V(%1$s).values('name')") {
    @Override
    GraphTraversal<?, ?> traversal(GraphTraversalSource g, long id) {
      return g.V(id).values("name");
    }
  },

  /** The names of ten that it follows. */
  NEIGHBOURS("g.V(%1$s).out('follows').limit(10).values('name')") {
    @Override
    GraphTraversal<?, ?> traversal(GraphTraversalSource g, long id) {
      return g.V(id).out("follows").limit(10).values("name");
    }
  },

  /** The names of the five that it has followed last. */
  LATEST("g.V(%1$s).outE('follows').order().by('time', Order.desc).limit(5).inV().values('name')") {
    @Override
    GraphTraversal<?, ?> traversal(GraphTraversalSource g, long id) {
      return g.V(id).outE("follows").order().by("time", Order.desc).limit(5).inV().values("name");
    }
  },

  /** A new value of a property; the graph does not grow. */
  WRITE("g.V(%1$s).property('visited', %1$s).values('visited')") {
    @Override
    GraphTraversal<?, ?> traversal(GraphTraversalSource g, long id) {
      return g.V(id).property("visited", (int) id).values("visited");
    }
  };

  private final String text;
  private final String withParameter;

  Request(String text) {
    this.text = text;
    this.withParameter = String.format(Locale.ROOT, text, "x");
  }

  /**
   * The requests with these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such request
   */
  public static List<Request> of(List<String> names) {
    List<String> known = Arrays.stream(values()).map(Request::label).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no such request: request=" + name + ", known=" + String.join(", ", known));
      }
    }
    return Arrays.stream(values())
        .filter(request -> names.isEmpty() || names.contains(request.label()))
        .toList();
  }

  /** The name in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  abstract GraphTraversal<?, ?> traversal(GraphTraversalSource g, long id);

  /** Sends it and returns the answer. */
  List<?> ask(Remote remote, Form form, long id) {
    return switch (form) {
      case BYTECODE -> traversal(remote.g(), id).toList();
      case TEXT -> remote.submit(String.format(Locale.ROOT, text, id), Map.of());
      case PARAMETERS -> remote.submit(withParameter, Map.of("x", (int) id));
    };
  }
}
