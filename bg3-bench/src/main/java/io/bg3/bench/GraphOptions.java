package io.bg3.bench;

import picocli.CommandLine.Option;

/** The options that say which graph a command makes: its size and its seed. */
final class GraphOptions {
  @Option(
      names = {"--vertices", "--sources"},
      paramLabel = "N",
      description = "Vertices of the graph (default: ${DEFAULT-VALUE}).")
  private int vertices;

  @Option(
      names = "--edges",
      paramLabel = "N",
      description = "Edges of the graph (default: ${DEFAULT-VALUE}).")
  private long edges;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the graph and of all random choices (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  /** Options with the sizes that a command has by default. */
  GraphOptions(int vertices, long edges) {
    this.vertices = vertices;
    this.edges = edges;
  }

  int vertices() {
    return vertices;
  }

  long edges() {
    return edges;
  }

  long seed() {
    return seed;
  }
}
