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
    AnswerChecksum answer = new AnswerChecksum();
    double share = task.conditions().overwrite();
    int snapshot = task.conditions().snapshots().operations(1);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      byte[] value = new byte[EdgeValue.LONGEST];
      long sum = 0;
      for (int i = 0; i < owners.length; i++) {
        int version = EdgeList.isChosen(owners[i], others[i], task.seed(), share) ? 1 : 0;
        int length = EdgeValue.fill(owners[i], others[i], version, value);
        long expected = EdgeValue.checksum(value, length);
        long found = reader.value(owners[i], others[i]);
        if (found != expected) {
          throw new IllegalStateException(
              "another value than was written: owner=" + owners[i] + ", other=" + others[i]);
        }
        answer.add(found);
        sum += found;
      }
      Rounds rounds = new Rounds(task);
      rounds.measure(
          () -> pass(reader, owners, others, snapshot), owners.length, owners.length, sum);
      String setting = task.conditions().snapshots().text(1);
      return rounds.figures("point", setting, "reads/s", answer.toString());
    }
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
