package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.Contender;
import io.bg3.bench.store.Lifetime;
import io.bg3.bench.store.StoreOptions;
import io.bg3.bench.store.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The task of a process.
 *
 * @param contender with which system
 * @param work which work
 * @param directory of the system's store
 * @param results the file for what it measures
 * @param sources vertices of the graph
 * @param edges edges of the graph
 * @param seed of the graph and the questions
 * @param memory bytes of memory for the system
 * @param reads what is read before the store is closed, for a load
 * @param conditions of all systems
 * @param rounds measured repetitions
 * @param seconds the least that one of them takes
 * @param parameters what else the work has to know, by name; names of settings are settings of BG3
 */
public record Task(
    Contender contender,
    WorkKind work,
    Path directory,
    Path results,
    int sources,
    long edges,
    long seed,
    long memory,
    List<WorkKind> reads,
    Conditions conditions,
    int rounds,
    double seconds,
    Map<String, String> parameters) {
  private static final String PARAMETER = "parameter.";

  /** The parameter that says whether data is read past the system's cache, as cold works do. */
  public static final String DIRECT = "direct";

  /** The parameter that says whether RocksDB keeps values in blob files. */
  public static final String BLOBS = "blobs";

  /** The label of the graph's edges. */
  public static final int LABEL = 1;

  private static final int MOST_QUESTIONS = 100_000;
  private static final int FEWEST_QUESTIONS = 1_000;
  private static final int EDGES_A_QUESTION = 100;

  PowerLawGraph graph() {
    return new PowerLawGraph(sources, edges, seed);
  }

  /** Opens the store; commits that are not synced wait for what the conditions say. */
  BenchStore openUnsynced(PowerLawGraph graph) throws IOException {
    return openUnsynced(graph, Lifetime.NONE);
  }

  BenchStore open(Sync sync, PowerLawGraph graph) throws IOException {
    return contender.open(options(sync, Lifetime.NONE), graph);
  }

  /** Opens the store as {@link #openUnsynced} does, with edges that expire. */
  BenchStore openUnsynced(PowerLawGraph graph, Lifetime lifetime) throws IOException {
    return contender.open(options(conditions.handover().sync(), lifetime), graph);
  }

  private StoreOptions options(Sync sync, Lifetime lifetime) {
    return new StoreOptions(directory, memory, sync, isDirect(), lifetime, is(BLOBS), parameters);
  }

  /** Whether data is read past the system's cache. */
  boolean isDirect() {
    return work.isCold() || is(DIRECT);
  }

  /** Whether a parameter says yes. */
  boolean is(String name) {
    return Boolean.parseBoolean(parameters.get(name));
  }

  /** The number of scans of a pass: the slowest system takes a few seconds for them. */
  int questions() {
    return (int) Math.min(MOST_QUESTIONS, Math.max(FEWEST_QUESTIONS, edges / EDGES_A_QUESTION));
  }

  /** Writes the task to a file for another process. */
  public void write(Path file) throws IOException {
    Properties values = new Properties();
    values.setProperty("contender", contender.name());
    values.setProperty("work", work.name());
    values.setProperty("directory", directory.toString());
    values.setProperty("results", results.toString());
    values.setProperty("sources", Integer.toString(sources));
    values.setProperty("edges", Long.toString(edges));
    values.setProperty("seed", Long.toString(seed));
    values.setProperty("memory", Long.toString(memory));
    values.setProperty("reads", String.join(",", reads.stream().map(Enum::name).toList()));
    conditions.write(values);
    values.setProperty("rounds", Integer.toString(rounds));
    values.setProperty("seconds", Double.toString(seconds));
    parameters.forEach((name, value) -> values.setProperty(PARAMETER + name, value));
    try (var out = Files.newBufferedWriter(file)) {
      values.store(out, null);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Task read(Path file) throws IOException {
    Properties values = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      values.load(in);
    }
    return new Task(
        Contender.valueOf(values.getProperty("contender")),
        WorkKind.valueOf(values.getProperty("work")),
        Path.of(values.getProperty("directory")),
        Path.of(values.getProperty("results")),
        Integer.parseInt(values.getProperty("sources")),
        Long.parseLong(values.getProperty("edges")),
        Long.parseLong(values.getProperty("seed")),
        Long.parseLong(values.getProperty("memory")),
        kinds(values.getProperty("reads")),
        Conditions.read(values),
        Integer.parseInt(values.getProperty("rounds")),
        Double.parseDouble(values.getProperty("seconds")),
        parameters(values));
  }

  private static Map<String, String> parameters(Properties values) {
    Map<String, String> parameters = new TreeMap<>();
    for (String name : values.stringPropertyNames()) {
      if (name.startsWith(PARAMETER)) {
        parameters.put(name.substring(PARAMETER.length()), values.getProperty(name));
      }
    }
    return parameters;
  }

  /** A parameter of this name that is a number. */
  long number(String name) {
    return Long.parseLong(parameters.get(name));
  }

  private static List<WorkKind> kinds(String names) {
    return Arrays.stream(names.split(","))
        .filter(name -> !name.isEmpty())
        .map(WorkKind::valueOf)
        .toList();
  }

  /** This task with another size of memory. */
  public Task withMemory(long bytes) {
    return with(results, bytes, reads, parameters);
  }

  /** This task with reads behind it, and another file for what it measures. */
  public Task withReads(List<WorkKind> kinds, Path file) {
    return with(file, memory, kinds, parameters);
  }

  /** This task with parameters. */
  public Task withParameters(Map<String, String> values) {
    return with(results, memory, reads, values);
  }

  private Task with(Path file, long bytes, List<WorkKind> kinds, Map<String, String> values) {
    return new Task(
        contender,
        work,
        directory,
        file,
        sources,
        edges,
        seed,
        bytes,
        kinds,
        conditions,
        rounds,
        seconds,
        values);
  }

  @Override
  public String toString() {
    List<String> works = new ArrayList<>();
    works.add(work.name());
    reads.forEach(read -> works.add(read.name()));
    return contender.text()
        + " "
        + String.join(", ", works).toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
