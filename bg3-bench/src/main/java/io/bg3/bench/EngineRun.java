package io.bg3.bench;

import io.bg3.bench.report.Figure;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run: loads each system's store once and starts a process for each system and work. */
final class EngineRun {
  private static final String LOADED = "loaded";

  private final EngineSize size;
  private final Path root;
  private final boolean keep;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Processes processes;
  private final Map<Contender, String> settings = new LinkedHashMap<>();
  private final List<Figure> figures = new ArrayList<>();

  EngineRun(EngineSize size, Path root, boolean keep, PrintWriter out, PrintWriter err) {
    this.size = size;
    this.root = root;
    this.keep = keep;
    this.out = out;
    this.err = err;
    this.processes = new Processes(size, root);
  }

  Report run(List<EngineWork> works) throws IOException {
    out.println("flags: " + String.join(" ", processes.flags()));
    out.println("data: " + size + ", stores in " + root);
    out.flush();
    Set<Contender> loaded = EnumSet.noneOf(Contender.class);
    works.forEach(work -> loaded.addAll(work.contenders()));
    loaded.removeIf(contender -> !contender.isLoaded());
    try {
      for (Contender contender : loaded) {
        load(contender);
      }
      for (EngineWork work : works) {
        for (Contender contender : work.contenders()) {
          measure(work, contender);
        }
      }
    } finally {
      if (!keep) {
        for (Contender contender : loaded) {
          StoreFiles.delete(loaded(contender));
        }
      }
    }
    settings.forEach((contender, text) -> out.println(contender.text() + ": " + text));
    out.println();
    return new Report(Contender.BG3.text(), figures);
  }

  private void load(Contender contender) throws IOException {
    Path directory = loaded(contender);
    Path results = root.resolve(LOADED + "-" + contender.text() + ".tsv");
    if (!keep || !Files.exists(results)) {
      StoreFiles.delete(directory);
      run(contender, WorkKind.LOAD, directory, results);
    }
    figures.addAll(FigureFile.read(results).figures());
  }

  private void measure(EngineWork work, Contender contender) throws IOException {
    Path results = root.resolve("figures.tsv");
    Path directory = loaded(contender);
    if (work.writes()) {
      Path copy = root.resolve("copy");
      StoreFiles.delete(copy);
      if (contender.isLoaded()) {
        StoreFiles.copy(directory, copy);
      }
      directory = copy;
    }
    run(contender, work.kind(), directory, results);
    FigureFile.Content content = FigureFile.read(results);
    settings.put(contender, content.settings());
    figures.addAll(content.figures());
    if (work.writes()) {
      StoreFiles.delete(directory);
    }
  }

  private Path loaded(Contender contender) {
    return root.resolve(LOADED + "-" + contender.text());
  }

  private void run(Contender contender, WorkKind kind, Path directory, Path results)
      throws IOException {
    Task task =
        new Task(
            contender,
            kind,
            directory,
            results,
            size.sources(),
            size.edges(),
            size.seed(),
            size.memory(),
            size.rounds(),
            size.seconds());
    err.print(task + " ...");
    err.flush();
    long begin = System.nanoTime();
    processes.run(task);
    err.printf(" %.1f s%n", (System.nanoTime() - begin) / 1e9);
    err.flush();
  }
}
