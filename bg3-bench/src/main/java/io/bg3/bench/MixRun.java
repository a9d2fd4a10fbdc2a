package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.LoadOrder;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of the experiment behind the paper's figure 8 that needs one graph: loads the store of
 * each system, and then starts a process for each mix on that store.
 */
final class MixRun extends Experiment {
  /** A store that is loaded in a random order, its log, and what compactions add for a while. */
  private static final long DISK_AN_EDGE = 300;

  /** A store that is loaded in the order of the keys; with blob files it is the largest. */
  private static final long DISK_AN_EDGE_SORTED = 120;

  /** A system, and how it is opened. */
  private enum Side {
    BG3(Contender.BG3, false),
    ROCKSDB(Contender.ROCKSDB, false),
    /** Only loaded: its iterators read each value, and its values are in no cache. */
    ROCKSDB_BLOB(Contender.ROCKSDB, true);

    private final Contender contender;
    private final boolean blobs;

    Side(Contender contender, boolean blobs) {
      this.contender = contender;
      this.blobs = blobs;
    }

    String text() {
      return contender.text() + (blobs ? "-blob" : "");
    }
  }

  private final String graph;
  private final List<WorkKind> mixes;
  private final Map<String, String> parameters;
  private final ReportOutput output;
  private final List<Metric> figures = new ArrayList<>();

  /**
   * Prepares a run.
   *
   * @param graph the graph's name in the settings of figures
   * @param mixes in the order in which they are measured
   * @param parameters of all tasks
   * @param output is told each figure as soon as it is measured
   */
  MixRun(
      RunPlace place,
      String graph,
      List<WorkKind> mixes,
      Map<String, String> parameters,
      ReportOutput output) {
    super(place);
    this.graph = graph;
    this.mixes = mixes;
    this.parameters = parameters;
    this.output = output;
  }

  @Override
  Report run() throws IOException {
    boolean sorted = size().conditions().order() == LoadOrder.SORTED;
    print("graph of " + graph);
    printPlace(size().edges() * (sorted ? DISK_AN_EDGE_SORTED : DISK_AN_EDGE));
    for (Side side : Side.values()) {
      run(side);
    }
    printSettings();
    return new Report(Contender.BG3.text(), figures);
  }

  private void run(Side side) throws IOException {
    Path store = root().resolve(side.text());
    try {
      run(side, WorkKind.LOAD_MIX, store);
      if (!side.blobs) {
        for (WorkKind mix : mixes) {
          run(side, mix, store);
        }
      }
    } finally {
      StoreFiles.delete(store);
      tasks().clear();
    }
  }

  private void run(Side side, WorkKind work, Path store) throws IOException {
    Map<String, String> all = new HashMap<>(parameters);
    all.put(Task.BLOBS, Boolean.toString(side.blobs));
    Task task = tasks().task(side.contender, work, store).withParameters(all);
    List<Metric> found =
        run(side.text(), task).figures().stream().map(each -> with(side, each)).toList();
    figures.addAll(found);
    output.measured(found);
  }

  /** The figure with the name of the side, and with the graph in its setting. */
  private Metric with(Side side, Metric found) {
    return new Metric(
        found.work(),
        side.text(),
        "graph of " + graph + ": " + found.setting(),
        found.unit(),
        found.higherIsBetter(),
        found.answer(),
        found.rounds());
  }
}
