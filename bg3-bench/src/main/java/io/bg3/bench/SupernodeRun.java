package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.SupernodeWork;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One vertex with very many edges, in the store of each system. */
final class SupernodeRun extends Experiment {
  /** Two entries of a loaded edge, the log, and what is inserted. */
  private static final long DISK_AN_EDGE = 500;

  private final Set<Contender> contenders;
  private final long edges;
  private final int splitOut;

  /**
   * Prepares a run.
   *
   * @param edges of the one vertex
   * @param splitOut the edges above which BG3 gives a vertex a tree of its own; 0 for none
   */
  SupernodeRun(RunPlace place, Set<Contender> contenders, long edges, int splitOut) {
    super(place);
    this.contenders = contenders;
    this.edges = edges;
    this.splitOut = splitOut;
  }

  @Override
  Report run() throws IOException {
    printPlace((size().edges() + edges) * DISK_AN_EDGE);
    print("supernode: edges=%d, each with two entries%n", edges);
    Map<String, String> parameters =
        Map.of(
            SupernodeWork.EDGES,
            Long.toString(edges),
            Setting.SPLIT_OUT.key(),
            Integer.toString(splitOut));
    List<Metric> figures = new ArrayList<>();
    for (Contender contender : contenders) {
      Path store = root().resolve(contender.text());
      try {
        figures.addAll(
            run(
                    contender.text(),
                    tasks().task(contender, WorkKind.SUPERNODE, store).withParameters(parameters))
                .figures());
      } finally {
        StoreFiles.delete(store);
        tasks().clear();
      }
    }
    printSettings();
    return new Report(Contender.BG3.text(), figures);
  }
}
