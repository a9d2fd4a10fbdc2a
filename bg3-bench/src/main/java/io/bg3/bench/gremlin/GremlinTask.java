package io.bg3.bench.gremlin;

import java.nio.file.Path;
import java.util.List;

/**
 * The measurements of one process.
 *
 * @param system that it measures
 * @param vertices of the graph without the hubs
 * @param edges of the graph without those of the hubs
 * @param seed of the graph
 * @param plainHub edges of the hub with the plain label
 * @param orderedHub edges of the hub with the ordered label
 * @param rounds of each work, measured
 * @param seconds of a round
 * @param works their labels, in the order in which they run
 * @param directory of the process, for its store and its results
 */
public record GremlinTask(
    GremlinSystem system,
    int vertices,
    long edges,
    long seed,
    int plainHub,
    int orderedHub,
    int rounds,
    double seconds,
    List<String> works,
    Path directory) {
  private static final long HEAP = 512L << 20;
  private static final long HEAP_AN_EDGE = 1_500;
  private static final long LEAST_MEMORY = 256L << 20;
  private static final long MEMORY_AN_EDGE = 300;

  /** The arguments of a process that does this. */
  public List<String> arguments() {
    return List.of(
        system.name(),
        Integer.toString(vertices),
        Long.toString(edges),
        Long.toString(seed),
        Integer.toString(plainHub),
        Integer.toString(orderedHub),
        Integer.toString(rounds),
        Double.toString(seconds),
        String.join(",", works),
        directory.toString());
  }

  /** The task that {@link #arguments} describe. */
  static GremlinTask of(String... arguments) {
    int next = 0;
    return new GremlinTask(
        GremlinSystem.valueOf(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Long.parseLong(arguments[next++]),
        Long.parseLong(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Double.parseDouble(arguments[next++]),
        List.of(arguments[next++].split(",")),
        Path.of(arguments[next]));
  }

  private long allEdges() {
    return edges + plainHub + orderedHub;
  }

  /** Bytes of heap that the process may use, enough for a graph of objects. */
  public long heap() {
    return HEAP + allEdges() * HEAP_AN_EDGE;
  }

  /** Bytes that a system outside of the heap may use, enough for the whole graph. */
  public long memory() {
    return Math.max(LEAST_MEMORY, allEdges() * MEMORY_AN_EDGE);
  }

  /** The file of the results. */
  public Path results() {
    return directory.resolve("figures");
  }
}
