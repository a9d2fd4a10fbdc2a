package io.bg3.bench.snb;

import io.bg3.bench.gremlin.GremlinSystem;
import java.nio.file.Path;
import java.util.List;

/**
 * The measurements of one process.
 *
 * @param system that it measures
 * @param persons of the graph
 * @param seed of the graph and of the questions
 * @param rounds of each query, measured
 * @param seconds of a round
 * @param queries their names, in the order in which they run
 * @param directory of the process, for its store and its results
 */
public record SnbTask(
    GremlinSystem system,
    int persons,
    long seed,
    int rounds,
    double seconds,
    List<String> queries,
    Path directory) {
  /** The fewest persons of a graph. */
  public static final int LEAST_PERSONS = SnbSizes.LEAST_PERSONS;

  private static final long HEAP = 768L << 20;
  private static final long HEAP_A_PERSON = 2L << 20;
  private static final long LEAST_MEMORY = 256L << 20;
  private static final long MEMORY_A_PERSON = 512L << 10;

  /** The arguments of a process that does this. */
  public List<String> arguments() {
    return List.of(
        system.name(),
        Integer.toString(persons),
        Long.toString(seed),
        Integer.toString(rounds),
        Double.toString(seconds),
        String.join(",", queries),
        directory.toString());
  }

  /** The task that {@link #arguments} describe. */
  static SnbTask of(String... arguments) {
    int next = 0;
    return new SnbTask(
        GremlinSystem.valueOf(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Long.parseLong(arguments[next++]),
        Integer.parseInt(arguments[next++]),
        Double.parseDouble(arguments[next++]),
        List.of(arguments[next++].split(",")),
        Path.of(arguments[next]));
  }

  /** Bytes of heap that the process may use, enough for a graph of objects. */
  public long heap() {
    return HEAP + persons * HEAP_A_PERSON;
  }

  /** Bytes that a system outside of the heap may use, enough for the whole graph. */
  public long memory() {
    return Math.max(LEAST_MEMORY, persons * MEMORY_A_PERSON);
  }

  /** The file of the results. */
  public Path results() {
    return directory.resolve("figures");
  }
}
