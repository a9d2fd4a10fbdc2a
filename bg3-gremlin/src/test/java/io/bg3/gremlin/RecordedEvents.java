package io.bg3.gremlin;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.event.MutationListener;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The events that a listener of {@code EventStrategy} was told. */
final class RecordedEvents {
  private final List<String> events = new ArrayList<>();

  /** A listener that records each event by its name and, where it is about one, its vertex. */
  MutationListener listener() {
    return (MutationListener)
        Proxy.newProxyInstance(
            MutationListener.class.getClassLoader(),
            new Class<?>[] {MutationListener.class},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
              }
              boolean ofVertex = arguments[0] instanceof Vertex;
              events.add(method.getName() + (ofVertex ? " " + ((Vertex) arguments[0]).id() : ""));
              return null;
            });
  }

  /** The events so far, in alphabetical order. */
  List<String> sorted() {
    return events.stream().sorted().toList();
  }
}
