package io.bg3.bench.gremlin;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.load.Loader;
import io.bg3.transfer.BadRowListener;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.SortedTarget;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.csv.CsvGraphFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.util.Gremlin;

/**
 * The process that loads the graph from CSV files into BG3 or TinkerGraph, by the reader of {@code
 * bin/bg3 load}. BG3 writes the rows as the command does, once by sorting, as the command chooses
 * for an empty store, and once by commits, as with {@code --no-bulk}. The time ends when the store
 * is closed, so everything is on the disk. TinkerGraph gets the rows by its structure API.
 */
public final class LoadFilesWorker {
  private static final double NANOS = 1e9;
  private static final int BATCH = 1_000;

  private final GremlinTask task;
  private final BenchGraph data;
  private final List<Path> files;

  private LoadFilesWorker(GremlinTask task, BenchGraph data, List<Path> files) {
    this.task = task;
    this.data = data;
    this.files = files;
  }

  /** Measures both loads of the system that the arguments say ({@link GremlinTask}). */
  public static void main(String[] arguments) throws IOException {
    GremlinTask task = GremlinTask.of(arguments);
    BenchGraph data = new BenchGraph(task);
    List<Path> files = BenchFiles.write(data, task.directory().resolve("files"));
    LoadFilesWorker worker = new LoadFilesWorker(task, data, files);
    List<Metric> figures =
        List.of(worker.measured("load-files", true), worker.measured("load-commits", false));
    MetricFile.write(
        task.results(),
        new MetricFile.Content(
            "TinkerPop " + Gremlin.version() + ", " + task.system().settings(), figures));
  }

  private Metric measured(String work, boolean sorts) throws IOException {
    long begin = System.nanoTime();
    if (task.system() == GremlinSystem.BG3) {
      intoStore(work, sorts);
    } else {
      load(rows -> new RowsOfTinkerGraph(task.system().open(task.directory(), task.memory())));
    }
    double seconds = (System.nanoTime() - begin) / NANOS;
    String setting =
        String.format(
            Locale.ROOT,
            "vertices=%d edges=%d hubs=%d,%d",
            task.vertices(),
            task.edges(),
            task.plainHub(),
            task.orderedHub());
    String system = task.system().text();
    return Metric.single(work, system, setting, "edges/s", true, data.edges() / seconds);
  }

  private void intoStore(String name, boolean sorts) throws IOException {
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, task.directory().resolve(name).toString())
            .with(Setting.MEMORY_BUDGET, Long.toString(task.memory()))
            .with(Setting.DURABILITY, "async"); // as bin/bg3 load
    try (Bg3 store = Bg3.open(settings)) {
      if (sorts) {
        var sorted = store.load();
        load(rows -> new SortedTarget(store.graph(), sorted, BATCH, false, rows, count -> {}));
      } else {
        load(rows -> new StoreTarget(store.graph(), BATCH, false, rows));
      }
    }
  }

  private void load(Function<BadRowListener, GraphTarget> target) throws IOException {
    new Loader(0, row -> {}, count -> {})
        .load(files.stream().map(CsvGraphFile::new).toList(), target);
  }
}
