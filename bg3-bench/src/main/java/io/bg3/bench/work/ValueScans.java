package io.bg3.bench.work;

import io.bg3.bench.data.EdgeList;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.store.StoreReader;

/**
 * {@code scan-values}: as {@code scan}, and of each edge's value the first eight bytes, where an
 * application would keep the edge's timestamp.
 */
final class ValueScans extends Scans {
  private static final int CHECKED = 1_000;

  @Override
  String name() {
    return "scan-values";
  }

  @Override
  long first(
      Task task, PowerLawGraph graph, StoreReader reader, long[] owners, AnswerChecksum answer) {
    long[] targets = new long[graph.maxDegree()];
    byte[] value = new byte[EdgeValue.LONGEST];
    long sum = 0;
    for (int i = 0; i < owners.length; i++) {
      long found = reader.sumValues(owners[i]);
      if (i < CHECKED && found != expected(task, graph, owners[i], targets, value)) {
        throw new IllegalStateException("another sum than was written: owner=" + owners[i]);
      }
      answer.add(found);
      sum += found;
    }
    return sum;
  }

  private static long expected(
      Task task, PowerLawGraph graph, long owner, long[] targets, byte[] value) {
    int count = graph.targets(PowerLawGraph.index(owner), targets);
    double share = task.conditions().overwrite();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int version = EdgeList.isChosen(owner, targets[i], task.seed(), share) ? 1 : 0;
      EdgeValue.fill(owner, targets[i], version, value);
      sum += targets[i] + EdgeValue.first(value);
    }
    return sum;
  }

  @Override
  long ask(StoreReader reader, long owner) {
    return reader.sumValues(owner);
  }
}
