package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.Questions;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.Sync;
import java.io.IOException;

/** {@code point}: the value of an edge, edges drawn with equal chance, all of them there. */
final class Points implements Work {
  private static final int A_SCAN = 5;
  private static final int SNAPSHOT = 1_024;

  @Override
  public FigureFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    Questions.Edges edges = new Questions(graph, task.seed()).edges(A_SCAN * task.questions());
    long[] owners = edges.owners();
    long[] others = edges.others();
    Answer answer = new Answer();
    try (BenchStore store = task.open(Sync.NONE, graph);
        StoreReader reader = store.reader(Task.LABEL)) {
      byte[] value = new byte[EdgeValue.LONGEST];
      long sum = 0;
      for (int i = 0; i < owners.length; i++) {
        int length = EdgeValue.fill(owners[i], others[i], 0, value);
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
      rounds.measure(() -> pass(reader, owners, others), owners.length, owners.length, sum);
      String setting = "a new snapshot every " + SNAPSHOT;
      return new FigureFile.Content(
          store.settings(), rounds.figures("point", setting, "reads/s", answer.toString()));
    }
  }

  private static long pass(StoreReader reader, long[] owners, long[] others) {
    long sum = 0;
    for (int i = 0; i < owners.length; i++) {
      if (i % SNAPSHOT == 0) {
        reader.renew();
      }
      sum += reader.value(owners[i], others[i]);
    }
    return sum;
  }
}
