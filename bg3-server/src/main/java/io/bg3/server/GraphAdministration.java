package io.bg3.server;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.query.Callers;
import io.bg3.server.request.GraphName;
import io.bg3.server.request.RunningQueries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services {@code bg3.graphs.create}, {@code bg3.graphs.drop} and {@code bg3.graphs.list}. The
 * first two are for administrators.
 *
 * <p>A thread of its own creates and drops, one graph after the other. A request waits for it; when
 * the request is ended, by its time for instance, the work goes on.
 *
 * <p>Threads: any.
 */
final class GraphAdministration {
  private static final Logger LOG = LoggerFactory.getLogger(GraphAdministration.class);

  private static final String CREATE = "bg3.graphs.create";
  private static final String DROP = "bg3.graphs.drop";
  private static final String LIST = "bg3.graphs.list";
  private static final String NAME = "name";
  private static final String SHARE = "share";
  private static final String CONFIRM = "confirm";

  /** How long the requests of a dropped graph have to end before it is closed under them. */
  private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LOOK_MILLIS = 20;
  private static final long CLOSE_SECONDS = 60;

  /** The work of the server on a graph that comes or goes. */
  interface Host {
    /** Offers the services of the server in a graph that is not served yet. */
    void offerServices(Graph graph);

    /** Begins to serve a graph. */
    void serve(String name, Graph graph);

    /** Has no request reach a graph any more. */
    void hide(String name);

    /** Tells the requests and sessions of a graph to end. Returns whether none is left. */
    boolean end(String name);
  }

  private final NamedGraphs graphs;
  private final OnlineGraphs online;
  private final Callers callers;
  private final Host host;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          new BasicThreadFactory.Builder().namingPattern("bg3-graphs").daemon(true).build());

  GraphAdministration(NamedGraphs graphs, OnlineGraphs online, Callers callers, Host host) {
    this.graphs = graphs;
    this.online = online;
    this.callers = callers;
    this.host = host;
  }

  /** Offers the services to the clients of a graph. */
  void register(Bg3Graph graph) {
    Bg3Services.registerReading(graph, LIST, Map.of(), unused -> list());
    Bg3Services.registerWriting(
        graph,
        CREATE,
        Map.of(NAME, "of the new graph", SHARE, "weight of its part of the memory, 1 if absent"),
        this::create);
    Bg3Services.registerWriting(
        graph,
        DROP,
        Map.of(NAME, "of the graph", CONFIRM, "the name again: all data of the graph is deleted"),
        this::drop);
  }

  private List<Map<String, Object>> list() {
    List<Map<String, Object>> rows = new ArrayList<>();
    Map<String, Integer> shares = online.shares();
    for (String name : graphs.names()) {
      if (callers.mayRead(name)) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(NAME, name);
        row.put("origin", shares.containsKey(name) ? "online" : "configuration");
        graphs
            .find(name)
            .filter(named -> named.graph() instanceof Bg3Graph)
            .ifPresent(
                named -> row.put("budgetBytes", ((Bg3Graph) named.graph()).stats().budgetBytes()));
        rows.add(row);
      }
    }
    return rows;
  }

  private List<String> create(Map<?, ?> parameters) {
    callers.requireAdministrator(CREATE);
    String name = name(CREATE, parameters);
    Object share = parameters.get(SHARE) == null ? GraphSettings.SHARE : parameters.get(SHARE);
    if (!(share instanceof Integer || share instanceof Long)
        || ((Number) share).longValue() < 1
        || ((Number) share).longValue() > GraphSettings.MOST_SHARES) {
      throw new IllegalArgumentException(
          "parameter is not a share: service="
              + CREATE
              + ", parameter="
              + SHARE
              + ", range=1 to "
              + GraphSettings.MOST_SHARES);
    }
    if (graphs.find(name).isPresent()) {
      throw new IllegalArgumentException("a graph of this name exists already: graph=" + name);
    }
    await(
        () -> {
          Graph graph = online.create(name, ((Number) share).intValue(), host::offerServices);
          host.serve(name, graph);
          LOG.warn("graph created: graph={}", name);
          return null;
        });
    return List.of(name);
  }

  private List<String> drop(Map<?, ?> parameters) {
    callers.requireAdministrator(DROP);
    String name = name(DROP, parameters);
    if (!name.equals(parameters.get(CONFIRM))) {
      throw new IllegalArgumentException(
          "a drop deletes all data of the graph and needs its name twice: service="
              + DROP
              + ", graph="
              + name
              + ", missing=confirm:'"
              + name
              + "'");
    }
    if (graphs.find(name).isPresent() && !online.has(name)) {
      throw new IllegalArgumentException(
          "a graph of the configuration cannot be dropped online: graph="
              + name
              + "; remove graphs."
              + name
              + ".data and restart the server");
    }
    if (RunningQueries.callersGraph().filter(name::equals).isPresent()) {
      throw new IllegalArgumentException(
          "a request to a graph cannot drop that graph: graph="
              + name
              + "; send the request to another graph, such as g");
    }
    await(
        () -> {
          online.drop(name, () -> end(name));
          LOG.warn("graph dropped: graph={}", name);
          return null;
        });
    return List.of(name);
  }

  private static String name(String service, Map<?, ?> parameters) {
    if (parameters.get(NAME) instanceof String name) {
      return GraphName.require(name);
    }
    throw new IllegalArgumentException(
        "parameter is missing or no text: service=" + service + ", parameter=" + NAME);
  }

  /** Ends the requests of a graph as a stop of the server does, and closes it. */
  private void end(String name) {
    NamedGraph named = graphs.find(name).orElseThrow();
    host.hide(name);
    long deadline = System.nanoTime() + MOMENT_NANOS;
    try {
      while (!host.end(name) && System.nanoTime() < deadline) {
        Thread.sleep(LOOK_MILLIS);
      }
      named.graph().close();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e); // no code interrupts this thread
    } catch (Exception e) {
      throw new IllegalStateException(
          "the graph is dropped, but could not be closed; the next start deletes its files: graph="
              + name,
          e);
    }
  }

  private void await(Callable<Void> work) {
    Future<Void> done;
    try {
      done = worker.submit(work);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the server is stopping", e);
    }
    try {
      done.get();
    } catch (InterruptedException e) {
      throw new TraversalInterruptedException();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw new IllegalArgumentException(refused.getMessage(), e);
      }
      String problem =
          e.getCause() instanceof IOException io ? io.toString() : e.getCause().getMessage();
      LOG.error("cannot create or drop a graph: {}", problem);
      throw new IllegalStateException("cannot create or drop the graph: " + problem, e);
    }
  }

  /** Takes no more work and waits for that which is under way. */
  void close() throws InterruptedException {
    worker.shutdown();
    if (!worker.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.error("a graph is still being created or dropped; the next start finishes it");
    }
  }
}
