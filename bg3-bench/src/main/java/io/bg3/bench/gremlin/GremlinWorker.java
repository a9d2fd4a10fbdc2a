package io.bg3.bench.gremlin;

import com.sun.management.ThreadMXBean;
import io.bg3.bench.data.SeededHash;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** The process that measures one system: it loads the graph and asks every question. */
public final class GremlinWorker {
  private static final double NANOS = 1e9;
  private static final double NANOS_A_MICRO = 1e3;
  private static final int DIGITS = 3;
  private static final int WARM_ROUNDS = 2;
  private static final int THOUSAND = 1_000;
  private static final Path STATUS = Path.of("/proc/self/status");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Histogram nanos = new Histogram(TimeUnit.HOURS.toNanos(1), DIGITS);
  private final List<Metric> figures = new ArrayList<>();
  private final GremlinTask task;
  private final Graph graph;
  private final Questions questions;
  private long allocated;
  private long asked;

  private GremlinWorker(GremlinTask task, Graph graph, BenchGraph data) {
    this.task = task;
    this.graph = graph;
    this.questions = new Questions(graph.traversal(), data, task);
  }

  /** Measures what the arguments say ({@link GremlinTask}) and leaves the figures in a file. */
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  public static void main(String[] arguments) throws Exception {
    GremlinTask task = GremlinTask.of(arguments);
    BenchGraph data = new BenchGraph(task);
    try (Graph graph = task.system().open(task)) {
      GremlinWorker worker = new GremlinWorker(task, graph, data);
      worker.load(data);
      for (GremlinWork work : GremlinWork.of(task.works())) {
        worker.measure(work);
      }
      MetricFile.write(
          task.results(), new MetricFile.Content(task.system().settings(), worker.figures));
    }
  }

  private void load(BenchGraph data) throws IOException {
    long begin = System.nanoTime();
    data.load(graph);
    double seconds = (System.nanoTime() - begin) / NANOS;
    task.system().index(graph);
    add("load", "edges/s", true, "", List.of(data.edges() / seconds));
    System.gc();
    if (Files.isReadable(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) {
          double kibibytes = Long.parseLong(line.replaceAll("[^0-9]", ""));
          add("memory", "MiB", false, "", List.of(kibibytes / 1024));
        }
      }
    }
  }

  private void measure(GremlinWork work) {
    asked = 0;
    String answer = answer(work);
    round(work, WARM_ROUNDS * task.seconds());
    List<Double> rates = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    List<Double> slow = new ArrayList<>();
    List<Double> bytes = new ArrayList<>();
    for (int i = 0; i < task.rounds(); i++) {
      rates.add(round(work, task.seconds()));
      medians.add(nanos.getValueAtPercentile(50) / NANOS_A_MICRO);
      slow.add(nanos.getValueAtPercentile(99) / NANOS_A_MICRO);
      bytes.add((double) allocated / nanos.getTotalCount());
    }
    BenchGraph.commit(graph);
    add(work.text(), "operations/s", true, answer, rates);
    add(work.text() + ".p50", "us", false, "", medians);
    add(work.text() + ".p99", "us", false, "", slow);
    add(work.text() + ".allocated", "bytes/op", false, "", bytes);
  }

  private void add(String work, String unit, boolean more, String answer, List<Double> rounds) {
    String setting =
        "vertices="
            + task.vertices()
            + " edges="
            + task.edges()
            + " hubs="
            + task.plainHub()
            + ","
            + task.orderedHub();
    figures.add(new Metric(work, task.system().text(), setting, unit, more, answer, rounds));
  }

  /** A number for the answers to the first questions, with their results in any order. */
  private String answer(GremlinWork work) {
    long hash = 0;
    for (int i = 0; i < work.compared(); i++) {
      work.prepare(questions, asked);
      List<String> results =
          new ArrayList<>(ask(work, asked++).stream().map(String::valueOf).toList());
      results.sort(null);
      hash = SeededHash.of(hash, results.hashCode());
    }
    return Long.toHexString(hash);
  }

  /** Asks for some seconds and returns the rate; what a question needs is prepared in between. */
  private double round(GremlinWork work, double seconds) {
    nanos.reset();
    allocated = 0;
    long took = 0;
    while (took < seconds * NANOS) {
      work.prepare(questions, asked);
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      var unused = ask(work, asked++);
      long last = System.nanoTime() - begin;
      allocated += threads.getCurrentThreadAllocatedBytes() - bytes;
      nanos.recordValue(Math.min(last, nanos.getHighestTrackableValue()));
      took += last;
    }
    return nanos.getTotalCount() * NANOS / took;
  }

  private List<?> ask(GremlinWork work, long n) {
    GraphTraversal<?, ?> traversal = work.ask(questions, n);
    if (work.ending() == GremlinWork.Ending.COMPILED) {
      traversal.asAdmin().applyStrategies();
      return List.of();
    }
    List<?> results = traversal.toList();
    switch (work.ending()) {
      case COMMIT -> BenchGraph.commit(graph);
      case COMMIT_THOUSAND -> {
        if (n % THOUSAND == THOUSAND - 1) {
          BenchGraph.commit(graph);
        }
      }
      default -> BenchGraph.end(graph);
    }
    return results;
  }
}
