package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.work.Conditions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
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

  /**
   * These options, with other sizes where the user gives none.
   *
   * @param others vertices that the graph then has
   * @param otherEdges edges that it then has
   */
  GraphOptions or(int others, long otherEdges) {
    return of(isGiven("--vertices") ? vertices : others, orEdges(otherEdges));
  }

  /** The edges that the user gives; as many as are named if there are none. */
  long orEdges(long others) {
    return isGiven("--edges") ? edges : others;
  }

  private boolean isGiven(String option) {
    ParseResult given = spec.commandLine().getParseResult();
    return given.hasMatchedOption(option);
  }

  /** These options with other sizes. */
  GraphOptions of(int otherVertices, long otherEdges) {
    GraphOptions sizes = new GraphOptions(otherVertices, otherEdges);
    sizes.spec = spec;
    sizes.seed = seed;
    return sizes;
  }

  /**
   * The size of a run on a graph of this size.
   *
   * @param memory bytes of each system
   * @throws ParameterException if there is no such graph
   */
  EngineSize size(long memory, Conditions conditions, RoundOptions measured) {
    try {
      PowerLawGraph.check(vertices, edges);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return new EngineSize(
        vertices, edges, seed, memory, conditions, measured.rounds(), measured.seconds(), true);
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
