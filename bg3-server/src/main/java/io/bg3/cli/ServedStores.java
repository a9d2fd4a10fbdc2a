package io.bg3.cli;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.ConfigFile;
import io.bg3.server.GraphSettings;
import io.bg3.server.MemoryShares;
import io.bg3.server.OnlineGraphs;
import io.bg3.server.ServerSettings;
import io.bg3.server.request.GraphName;
import io.bg3.storage.file.StoreInUseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The stores that a server serves: that of the default graph, those of the configuration, and those
 * that were created online. Threads: one.
 *
 * @param graphs the open graphs by name
 * @param online which of them were created online, and how others are
 */
record ServedStores(Map<String, Graph> graphs, OnlineGraphs online) {
  private static final String ONLINE = ".graphs";

  /**
   * Opens all stores, that of the default graph first: its lock keeps another server away from the
   * graphs that were created online.
   *
   * @throws IOException if a store cannot be opened; none is open then
   * @throws IllegalArgumentException if the memory budget does not suffice for all
   */
  static ServedStores open(StoreOptions options, ServerSettings settings) throws IOException {
    ConfigFile config = options.config();
    requireOwnDirectories(options);
    OnlineGraphs online =
        OnlineGraphs.read(
            onlineDirectory(options, settings),
            config.store().text(Setting.READ_ONLY).equals("true"));
    MemoryShares memory = memory(config, settings, online);
    boolean isAlone =
        config.graphs().isEmpty() && online.shares().isEmpty() && settings.graphsReserve() == 0;
    Map<String, Graph> graphs = new LinkedHashMap<>();
    try {
      graphs.put(
          GraphName.DEFAULT,
          open(config.graph(), options.directory(), isAlone ? 0 : memory.bytes(GraphName.DEFAULT)));
      for (GraphSettings graph : config.graphs().values()) {
        graphs.put(
            graph.name(), open(graph.configuration(), graph.data(), memory.bytes(graph.name())));
      }
      Map<String, String> standard = GraphSettings.configurationOfOthers(config.store());
      online.open(memory, (directory, budget) -> open(standard, directory, budget), graphs::put);
      return new ServedStores(graphs, online);
    } catch (IOException | RuntimeException e) {
      graphs.values().forEach(graph -> closeAfter(e, graph));
      throw e;
    }
  }

  private static Path onlineDirectory(StoreOptions options, ServerSettings settings)
      throws IOException {
    Path beside = options.directory();
    Path standard = beside.resolveSibling(beside.getFileName() + ONLINE);
    return settings.graphsDirectory().orElse(standard).toAbsolutePath().normalize();
  }

  /** Two graphs in one directory would fail as a store that another process has open. */
  private static void requireOwnDirectories(StoreOptions options) throws IOException {
    Map<Path, String> taken = new HashMap<>(Map.of(options.directory(), GraphName.DEFAULT));
    for (GraphSettings graph : options.config().graphs().values()) {
      String before = taken.put(graph.data(), graph.name());
      if (before != null) {
        throw new IOException(
            "two graphs have one directory: graphs="
                + before
                + ", "
                + graph.name()
                + ", data="
                + graph.data()
                + "\nA graph is a store of its own; name another directory.");
      }
    }
  }

  private static MemoryShares memory(
      ConfigFile config, ServerSettings settings, OnlineGraphs online) throws IOException {
    Map<String, Integer> shares = new TreeMap<>(Map.of(GraphName.DEFAULT, config.share()));
    for (GraphSettings graph : config.graphs().values()) {
      if (online.shares().containsKey(graph.name())) {
        throw new IOException(
            "a graph of the configuration has the name of one that was created online: graph="
                + graph.name()
                + "\nGive the graph of the configuration another name.");
      }
      shares.put(graph.name(), graph.share());
    }
    Settings store = config.store();
    return MemoryShares.of(store.memoryBudget(), settings.graphsReserve(), shares, online.shares());
  }

  /** Opens a store with so many bytes of memory; 0 for those of its settings. */
  private static Graph open(Map<String, String> settings, Path directory, long budget)
      throws IOException {
    Configuration configuration = new BaseConfiguration();
    settings.forEach(configuration::setProperty);
    if (budget != 0) {
      configuration.setProperty(Setting.MEMORY_BUDGET.key(), Long.toString(budget));
    }
    configuration.setProperty(Setting.DIRECTORY.key(), directory.toString());
    try {
      Bg3Graph graph = Bg3Graph.open(configuration);
      Bg3Services.register(graph);
      return graph;
    } catch (UncheckedIOException e) {
      throw e.getCause() instanceof StoreInUseException inUse
          ? StoreOpener.inUse(inUse)
          : StoreOpener.failed(directory.toString(), e.getCause());
    }
  }

  private static void closeAfter(Exception failure, Graph graph) {
    try {
      graph.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }
}
