package io.bg3.server;

import io.bg3.server.GraphCatalog.Entry;
import io.bg3.server.GraphCatalog.State;
import io.bg3.server.request.GraphName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The graphs that administrators create and drop while the server runs. They outlive a restart.
 *
 * <p>Each step is durable before the next, so that a start knows from the catalog what a crash has
 * left:
 *
 * <pre>
 *   create   creating ... store is made ... ready ... served, answered
 *   drop     dropping ... unknown to requests ... closed ... store is deleted ... no entry
 * </pre>
 *
 * <ul>
 *   <li>O1: a graph is answered as created when its entry is {@code ready}. A start deletes one
 *       whose entry is {@code creating}: it may be incomplete, and nobody has written to it.
 *   <li>O2: no file of a graph is deleted before its entry is {@code dropping} and its store is
 *       closed. A start goes on with the deletion.
 *   <li>O3: the budgets of all open stores together never exceed that of the server. A dropped
 *       graph gives its part back when it is closed and deleted.
 * </ul>
 *
 * <p>Threads: any, one at a time.
 */
public final class OnlineGraphs {
  /** Opens the store of a graph, with the settings of the server. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens a store.
     *
     * @param budget bytes of its memory budget
     */
    Graph open(Path directory, long budget) throws IOException;
  }

  private final GraphCatalog catalog;
  private final boolean isReadOnly;
  private Opener opener;
  private MemoryShares memory; // null until it is divided

  private OnlineGraphs(GraphCatalog catalog, boolean isReadOnly) {
    this.catalog = catalog;
    this.isReadOnly = isReadOnly;
  }

  /**
   * Reads which graphs there are. Changes no file.
   *
   * @param directory of their stores; need not exist
   * @throws IOException if the catalog cannot be read
   */
  public static OnlineGraphs read(Path directory, boolean isReadOnly) throws IOException {
    return new OnlineGraphs(GraphCatalog.read(directory), isReadOnly);
  }

  /** The shares of the graphs that are served, by name. */
  public synchronized Map<String, Integer> shares() {
    Map<String, Integer> shares = new TreeMap<>();
    catalog
        .entries()
        .forEach(
            (graph, entry) -> {
              if (entry.state() == State.READY) {
                shares.put(graph, entry.share());
              }
            });
    return shares;
  }

  /**
   * Deletes what a crash has left, and opens the other graphs. Called when this process has the
   * store of the default graph open, so that no other server does the same.
   *
   * @param divided the memory of all graphs
   * @param opened is given each graph
   * @throws IOException if a store cannot be opened or deleted
   */
  public synchronized void open(MemoryShares divided, Opener with, BiConsumer<String, Graph> opened)
      throws IOException {
    memory = divided;
    opener = with;
    for (Map.Entry<String, Entry> entry : Map.copyOf(catalog.entries()).entrySet()) {
      String graph = entry.getKey();
      if (entry.getValue().state() == State.READY) {
        opened.accept(graph, with.open(catalog.store(graph), divided.bytes(graph)));
      } else if (!isReadOnly) {
        catalog.delete(graph);
        catalog.remove(graph);
      }
    }
  }

  /** Whether a graph was created online. */
  synchronized boolean has(String graph) {
    return shares().containsKey(graph);
  }

  /** Bytes of the budget of a graph; 0 if they are not known. */
  synchronized long bytes(String graph) {
    return memory == null || !memory.has(graph) ? 0 : memory.bytes(graph);
  }

  /**
   * Creates a graph.
   *
   * @param prepare is run with the open graph, before it is answered as created
   * @throws IllegalArgumentException if the name is taken or not valid, something is in the place
   *     of its directory, or there is no memory
   * @throws IOException if its store cannot be created; nothing is left of it then, or what the
   *     next start deletes
   */
  synchronized Graph create(String name, int share, Consumer<Graph> prepare) throws IOException {
    GraphName.require(name);
    if (isReadOnly) {
      throw new IllegalArgumentException(
          "the server was started with bg3.read.only=true, so it cannot create a graph: graph="
              + name);
    }
    catalog.requireFree(name);
    MemoryShares more = memory.with(name, share);
    catalog.put(name, share, State.CREATING);
    Graph graph = null;
    try {
      graph = opener.open(catalog.store(name), more.bytes(name));
      prepare.accept(graph);
      catalog.put(name, share, State.READY); // O1
      memory = more;
      return graph;
    } catch (IOException | RuntimeException e) {
      undo(name, graph, e);
      throw e;
    }
  }

  private void undo(String name, Graph graph, Exception failure) {
    try {
      if (graph != null) {
        graph.close();
      }
      catalog.put(name, catalog.entries().get(name).share(), State.DROPPING);
      catalog.delete(name);
      catalog.remove(name);
    } catch (Exception e) {
      failure.addSuppressed(e); // the next start does it
    }
  }

  /**
   * Drops a graph.
   *
   * @param end is run when the graph is one to be deleted for good: has no request reach it any
   *     more, ends those that do, and closes it
   * @throws IllegalArgumentException if there is no such graph
   * @throws IOException if its entry cannot be written, and the graph is served as before; or a
   *     file cannot be deleted, which the next start tries again
   */
  synchronized void drop(String name, Runnable end) throws IOException {
    Entry entry = catalog.entries().get(name);
    if (entry == null || entry.state() != State.READY) {
      throw new IllegalArgumentException("no graph of this name was created online: graph=" + name);
    }
    catalog.put(name, entry.share(), State.DROPPING); // O2
    end.run();
    catalog.delete(name);
    catalog.remove(name);
    memory = memory.without(name); // O3
  }
}
