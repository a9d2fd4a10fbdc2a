package io.bg3.bench.gremlin;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** A graph system that answers Gremlin. */
public enum GremlinSystem {
  /** BG3, on the TinkerPop that the bench is built with. */
  BG3(true),

  /** TinkerPop's reference implementation, likewise. */
  TINKERGRAPH(true),

  /** JanusGraph with BerkeleyDB JE, on a TinkerPop of its own. */
  JANUSGRAPH(false),

  /** ArcadeDB, on a TinkerPop of its own. */
  ARCADEDB(false);

  private final boolean isBuiltIn;

  GremlinSystem(boolean isBuiltIn) {
    this.isBuiltIn = isBuiltIn;
  }

  /** The systems whose libraries the bench has. */
  public static List<GremlinSystem> builtIn() {
    return Arrays.stream(values()).filter(GremlinSystem::isBuiltIn).toList();
  }

  /**
   * The systems with these names, those whose libraries the bench has if there are no names.
   *
   * @param known the systems that may be named
   * @throws IllegalArgumentException if a name is of none of them
   */
  public static List<GremlinSystem> of(List<GremlinSystem> known, List<String> names) {
    for (String name : names) {
      if (known.stream().noneMatch(system -> system.text().equals(name))) {
        throw new IllegalArgumentException(
            "no such system: system="
                + name
                + ", known="
                + String.join(", ", known.stream().map(GremlinSystem::text).toList()));
      }
    }
    return known.stream()
        .filter(system -> names.isEmpty() ? system.isBuiltIn() : names.contains(system.text()))
        .toList();
  }

  /** The name in tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Flags of its own for the process that measures it. */
  public List<String> flags() {
    return this == ARCADEDB
        ? List.of("--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED") // as its scripts do
        : List.of();
  }

  /**
   * Whether the bench has the system's libraries. Another one brings a TinkerPop of its own, gives
   * ids to its vertices, and may fail at a work that a later TinkerPop allows.
   */
  public boolean isBuiltIn() {
    return isBuiltIn;
  }

  /**
   * An empty graph.
   *
   * @param directory for its files, if it has any
   * @param memory bytes that it may use outside of the heap
   */
  public Graph open(Path directory, long memory) {
    return access().open(directory, memory);
  }

  /** Keeps the edges of a label in the order of a property, newest first, and counts them. */
  void order(Graph graph, String label, String key) {
    access().order(graph, label, key);
  }

  /** Indexes a property of the vertices of a label, and waits until the index is complete. */
  public void index(Graph graph, String label, String key) {
    access().index(graph, label, key);
  }

  /** The settings, for people. */
  public String settings() {
    return access().settings();
  }

  private GraphSystem access() {
    return switch (this) {
      case BG3 -> new Bg3System();
      case TINKERGRAPH -> new TinkerGraphSystem();
      case JANUSGRAPH -> new JanusGraphSystem();
      case ARCADEDB -> new ArcadeDbSystem();
    };
  }
}
