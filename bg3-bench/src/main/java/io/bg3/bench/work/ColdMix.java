package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mix-cold}: of ten operations six scan a vertex' edges, three read one edge, and one
 * commits a new edge with the entry under its target, on a store that is larger than its memory.
 * The new edges have a label of their own, so that the reads have one answer in all systems.
 * Afterwards the store is asked for every new edge.
 */
final class ColdMix implements Work {
  private static final int TEN = 10;
  private static final int SCANS = 6;

  /** How often the files are looked at, in operations. */
  private static final int FILES_LOOK = 20_000;

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), new Run(task, graph, store).figures());
    }
  }

  private static final class Run {
    private final Task task;
    private final BenchStore store;
    private final long[] scanned;
    private final QuerySequence.Edges points;
    private final String setting;
    private final EdgeInserts inserts;
    private double disk; // the most bytes for a live byte so far

    Run(Task task, PowerLawGraph graph, BenchStore store) {
      QuerySequence questions = new QuerySequence(graph, task.seed());
      this.task = task;
      this.store = store;
      this.scanned = ColdScans.owners(task, questions);
      this.points = questions.edges(task.questions());
      this.setting = ColdScans.setting(questions, scanned) + ", commits not synced";
      this.inserts = new EdgeInserts(task, store, points.owners());
    }

    List<Metric> figures() throws IOException {
      AnswerChecksum answer = new AnswerChecksum();
      LatencyRounds rounds = new LatencyRounds(task);
      ProcessIo before = ProcessIo.now();
      try (StoreReader reader = store.reader(Task.LABEL);
          StoreWriter writer = store.writer(false)) {
        for (int i = 0; i < scanned.length; i++) {
          read(i, reader, answer);
        }
        rounds.measure(i -> operation(i, reader, writer));
      }
      store.settle();
      lookAtFiles();
      double written = ProcessIo.now().written() - before.written();
      inserts.check();
      List<Metric> figures =
          new ArrayList<>(rounds.figures("mix-cold", setting, answer.toString()));
      String system = task.contender().text();
      figures.add(
          Metric.single(
              "mix-cold.written",
              system,
              setting,
              "bytes/user byte",
              false,
              written / inserts.userBytes()));
      figures.add(Metric.single("mix-cold.disk", system, setting, "bytes/live byte", false, disk));
      return figures;
    }

    /** Reads as the mix does; every operation of ten that inserts is a scan here. */
    private void read(int i, StoreReader reader, AnswerChecksum answer) {
      reader.renew();
      if (i % TEN < SCANS || i % TEN == TEN - 1) {
        answer.add(reader.sum(scanned[i]));
      } else {
        answer.add(reader.value(points.owners()[i], points.others()[i]));
      }
    }

    private void operation(long operation, StoreReader reader, StoreWriter writer) {
      int i = (int) (operation % scanned.length);
      int kind = (int) (operation % TEN);
      if (kind == TEN - 1) {
        inserts.insert(writer);
      } else if (kind < SCANS) {
        reader.renew();
        reader.sum(scanned[i]);
      } else {
        reader.renew();
        reader.value(points.owners()[i], points.others()[i]);
      }
      if (operation % FILES_LOOK == 0) {
        lookAtFiles();
      }
    }

    private void lookAtFiles() {
      try {
        double bytes = StoreFiles.bytesWithoutLog(task.directory());
        disk = Math.max(disk, bytes / inserts.liveBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
