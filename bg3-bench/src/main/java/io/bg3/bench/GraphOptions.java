package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the graph that a command makes: its size and its seed. */
final class GraphOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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

  /**
   * The graph of this size whose degrees follow a power law.
   *
   * @throws ParameterException if there is no such graph
   */
  PowerLawGraph powerLaw() {
    try {
      return new PowerLawGraph(vertices, edges, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
