package io.bg3.bench.olap;

import io.bg3.bench.gremlin.GremlinSystem;
import java.nio.file.Path;
import java.util.List;

/**
 * The measurements of one process.
 *
 * @param system that it measures
 * @param vertices of the graph
 * @param edges of the graph
 * @param seed of the graph
 * @param rounds of each program
 * @param answers the directory of the answers, which the processes of one run compare
 * @param directory of the process, for its store and its results
 */
public record OlapTask(
    GremlinSystem system,
    int vertices,
    long edges,
    long seed,
    int rounds,
    Path answers,
    Path directory) {
  private static final long HEAP = 1L << 30;
  private static final long HEAP_AN_EDGE = 2 << 10;
  private static final long LEAST_MEMORY = 256L << 20;
  private static final long MEMORY_AN_EDGE = 192;

  /** The arguments of a process that does this. */
  public List<String> arguments() {
    return List.of(
        system.name(),
        Integer.toString(vertices),
        Long.toString(edges),
        Long.toString(seed),
        Integer.toString(rounds),
        answers.toString(),
        directory.toString());
  }

  /** The task that {@link #arguments} describe. */
  static OlapTask of(String... arguments) {
    int next = 0;
    return new OlapTask(
        GremlinSystem.valueOf(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Long.parseLong(arguments[next++]),
        Long.parseLong(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Path.of(arguments[next++]),
        Path.of(arguments[next]));
  }

  /** Bytes of heap that a process may use unless a user says so, enough for objects. */
  public static long heap(long edges) {
    return HEAP + edges * HEAP_AN_EDGE;
  }

  /** Bytes that a system outside of the heap may use, enough for the whole graph. */
  public long memory() {
    return Math.max(LEAST_MEMORY, edges * MEMORY_AN_EDGE);
  }

  /** The file of the results. */
  public Path results() {
    return directory.resolve("figures");
  }
}
