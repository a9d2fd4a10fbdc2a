package io.bg3.gremlin;

import io.bg3.gremlin.structure.Bg3Edge;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Vertex;
import io.bg3.gremlin.structure.Bg3VertexProperty;
import java.io.File;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.AbstractGraphProvider;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.GraphTest;
import org.apache.tinkerpop.gremlin.structure.io.IoTest;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedGraphTest;
import org.apache.tinkerpop.gremlin.structure.util.star.StarGraphTest;

/**
 * Gives TinkerPop's suites graphs in directories under {@code target}. The store does not sync its
 * log, since each of a thousand graphs lives for a moment; everything else is as it is by default.
 *
 * <p>The suites read toy graphs whose ids are Integers and compare them as such, so those graphs
 * show ids as Integers; tests about string ids get a graph that shows strings.
 */
public class Bg3GraphProvider extends AbstractGraphProvider {
  private static final String DIRECTORY = "bg3.directory";
  private static final int LONGEST_NAME = 100;

  @Override
  public Map<String, Object> getBaseConfiguration(
      String graphName, Class<?> test, String method, LoadGraphWith.GraphData data) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put(Graph.GRAPH, Bg3Graph.class.getName());
    configuration.put(DIRECTORY, directory(graphName, test, method));
    configuration.put("bg3.durability", "none");
    configuration.put("bg3.graph.ids", ids(test, method, data));
    if (data == LoadGraphWith.GraphData.CREW || attachesByCreating(test, method)) {
      configuration.put("bg3.graph.cardinality", "list");
    }
    return configuration;
  }

  /** The tests that copy a vertex with several values under one key, with nothing said about it. */
  private static boolean attachesByCreating(Class<?> test, String method) {
    return (test == StarGraphTest.class && method.equals("shouldAttachWithCreateMethod"))
        || (test == DetachedGraphTest.class && method.equals("testAttachableCreateMethod"));
  }

  private String directory(String graphName, Class<?> test, String method) {
    String name = test.getName().replaceAll(".*[.]", "") + "-" + method + "-" + graphName;
    File stores = new File(System.getProperty("build.dir", "target"), "suite-stores");
    File root = new File(stores, getClass().getSimpleName()); // suites run at the same time
    String plain = name.replaceAll("[^A-Za-z0-9$-]", "_");
    String shortened = plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
    return new File(root, shortened + "-" + Integer.toHexString(name.hashCode())).getPath();
  }

  private static String ids(Class<?> test, String method, LoadGraphWith.GraphData data) {
    boolean strings =
        (test == GraphTest.class
                && (method.contains("StringId") || method.contains("StringSupport")))
            || (test.getEnclosingClass() == IoTest.class && method.contains("String"));
    boolean integers =
        data != null || (test == StarGraphTest.class && !attachesByCreating(test, method));
    return strings ? "string" : integers ? "integer" : "canonical";
  }

  @Override
  public void clear(Graph graph, Configuration configuration) throws Exception {
    if (graph != null) {
      if (!isClosed(graph) && graph.tx().isOpen()) {
        graph.tx().rollback();
      }
      graph.close();
    }
    if (configuration != null && configuration.containsKey(DIRECTORY)) {
      deleteDirectory(new File(configuration.getString(DIRECTORY)));
    }
  }

  private static boolean isClosed(Graph graph) {
    try {
      return !graph.tx().isOpen();
    } catch (IllegalStateException e) {
      return true;
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as the suites want it
  public Set<Class> getImplementations() {
    return Set.of(Bg3Graph.class, Bg3Vertex.class, Bg3Edge.class, Bg3VertexProperty.class);
  }
}
