package io.bg3.bench.work;

import io.bg3.bench.data.EdgeList;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.util.List;

/** {@code point}: the value of an edge, edges drawn with equal chance, all of them there. */
final class PointReads extends ReadWork {
  private static final int A_SCAN = 5;

  @Override
  List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence.Edges edges =
        new QuerySequence(graph, task.seed()).edges(A_SCAN * task.questions());
    long[] owners = edges.owners();
    long[] others = edges.others();
    int snapshot = task.conditions().snapshots().operations(1);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      AnswerChecksum answer = new AnswerChecksum();
      long sum = check(task, reader, owners, others, answer);
      Rounds rounds = new Rounds(task);
      rounds.measure(
          () -> pass(reader, owners, others, snapshot), owners.length, owners.length, sum);
      String setting = task.conditions().snapshots().text(1);
      return rounds.figures("point", setting, "reads/s", answer.toString());
    }
  }

  /** Reads all values once and compares them with what was written; returns their sum. */
  private static long check(
      Task task, StoreReader reader, long[] owners, long[] others, AnswerChecksum answer) {
    double share = task.conditions().overwrite();
    long sum = 0;
    for (int i = 0; i < owners.length; i++) {
      int version = EdgeList.isChosen(owners[i], others[i], task.seed(), share) ? 1 : 0;
      long found = reader.value(owners[i], others[i]);
      if (found != written(owners[i], others[i], version)) {
        throw new IllegalStateException(
            "another value than was written: owner=" + owners[i] + ", other=" + others[i]);
      }
      answer.add(found);
      sum += found;
    }
    return sum;
  }

  /** The checksum of the value that a version of an edge has. */
  private static long written(long owner, long other, int version) {
    byte[] value = new byte[EdgeValue.LONGEST];
    return EdgeValue.checksum(value, EdgeValue.fill(owner, other, version, value));
  }

  private static long pass(StoreReader reader, long[] owners, long[] others, int snapshot) {
    long sum = 0;
    for (int i = 0; i < owners.length; i++) {
      if (i % snapshot == 0) {
        reader.renew();
      }
      sum += reader.value(owners[i], others[i]);
    }
    return sum;
  }
}
