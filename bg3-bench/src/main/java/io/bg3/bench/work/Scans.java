package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * {@code scan}: the sum of the other ends of a vertex' edges, one vertex after the other. The
 * vertices have {@value #MEAN} edges on average, in one of two ways: any vertex may be asked for,
 * those with many edges more often; or the sources of random edges are, of which those with the
 * most edges are left out.
 */
class Scans extends ReadWork {
  static final int MEAN = 64;

  @Override
  final List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence questions = new QuerySequence(graph, task.seed());
    int most = questions.maxDegreeFor(MEAN);
    boolean drop = task.conditions().heavy() == HeavyOwners.DROP;
    long[] owners =
        drop
            ? questions.owners(task.questions(), most)
            : questions.mixedOwners(task.questions(), MEAN);
    long edges = questions.edgesOf(owners);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      AnswerChecksum answer = new AnswerChecksum();
      long sum = first(task, graph, reader, owners, answer);
      Rounds rounds = new Rounds(task);
      rounds.measure(pass(task, reader, owners), owners.length, edges, sum);
      String which = drop ? "at most " + most : "all vertices";
      double mean = (double) edges / owners.length;
      String setting =
          String.format(Locale.ROOT, "%.1f edges a scan, %s, %s", mean, which, how(task));
      return rounds.figures(name(), setting, "edges/s", answer.toString());
    }
  }

  String name() {
    return "scan";
  }

  String how(Task task) {
    return task.conditions().snapshots().text(1);
  }

  /** Asks for all vertices once, for the answer that all systems must give. */
  long first(
      Task task, PowerLawGraph graph, StoreReader reader, long[] owners, AnswerChecksum answer) {
    long[] others = new long[graph.maxDegree()];
    long sum = 0;
    for (long owner : owners) {
      int count = reader.first(owner, others.length, others);
      answer.add(others, count);
      for (int i = 0; i < count; i++) {
        sum += others[i];
      }
    }
    return sum;
  }

  /** The measured work: asks for all vertices and returns the sum. */
  LongSupplier pass(Task task, StoreReader reader, long[] owners) {
    int snapshot = task.conditions().snapshots().operations(1);
    return () -> {
      long sum = 0;
      for (int i = 0; i < owners.length; i++) {
        if (i % snapshot == 0) {
          reader.renew();
        }
        sum += ask(reader, owners[i]);
      }
      return sum;
    };
  }

  /** Asks for one vertex and returns the sum. */
  long ask(StoreReader reader, long owner) {
    return reader.sum(owner);
  }
}
