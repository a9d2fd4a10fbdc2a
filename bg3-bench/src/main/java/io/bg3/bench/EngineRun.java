package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.ReadPlace;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run: loads each system's store once and starts a process for each system and work. */
final class EngineRun {
  private static final String LOADED = "loaded";

  /** Three loaded stores, a copy, and room for what grows. */
  private static final long DISK_AN_EDGE = 500;

  private static final long DISK = 1L << 30;
  private static final String FRESH = "fresh";

  private final EngineSize size;
  private final Set<Contender> contenders;
  private final Path root;
  private final boolean keep;
  private final PrintWriter out;
  private final TaskRunner tasks;
  private final Map<Contender, Set<String>> settings = new LinkedHashMap<>();
  private final List<Metric> figures = new ArrayList<>();

  /**
   * @param contenders the systems that take part
   * @param root where the stores are made
   * @param keep whether loaded stores are left there, and those that are there are used
   */
  EngineRun(
      EngineSize size,
      Set<Contender> contenders,
      Path root,
      boolean keep,
      PrintWriter out,
      PrintWriter err) {
    this.size = size;
    this.contenders = contenders;
    this.root = root;
    this.keep = keep;
    this.out = out;
    this.tasks = new TaskRunner(size, root, err);
  }

  Report run(List<EngineWork> works) throws IOException {
    Machine machine = new Machine(root);
    machine.require(Processes.heap(size) + size.memory(), size.edges() * DISK_AN_EDGE + DISK);
    printSetting(machine);
    try {
      load(works);
      measure(works);
    } finally {
      clear();
    }
    settings.forEach(
        (contender, texts) -> texts.forEach(text -> out.println(contender.text() + ": " + text)));
    out.println();
    return new Report(Contender.BG3.text(), figures);
  }

  private void printSetting(Machine machine) throws IOException {
    machine.lines().forEach(out::println);
    out.println(tasks.flags());
    out.println("GLIBC_TUNABLES: " + System.getenv().getOrDefault("GLIBC_TUNABLES", "not set"));
    out.println(size);
    out.println();
    out.flush();
  }

  private void load(List<EngineWork> works) throws IOException {
    Set<Contender> loaded = EnumSet.noneOf(Contender.class);
    works.forEach(work -> loaded.addAll(work.contenders()));
    loaded.removeIf(contender -> !contender.isLoaded() || !contenders.contains(contender));
    for (Contender contender : loaded) {
      load(contender, readByWriter(works, contender));
    }
  }

  private void measure(List<EngineWork> works) throws IOException {
    for (EngineWork work : works) {
      for (Contender contender : work.contenders()) {
        if (contenders.contains(contender)
            && work.kind() != WorkKind.LOAD
            && !readByWriter(works, contender).contains(work.kind())) {
          measure(work, contender);
        }
      }
    }
  }

  /** Ends what runs and removes what was made, if this process is ended meanwhile. */
  void abandon() throws IOException {
    tasks.stop();
    clear();
  }

  private synchronized void clear() throws IOException {
    tasks.clear();
    StoreFiles.delete(root.resolve(FRESH));
    for (Contender contender : Contender.values()) {
      if (!keep) {
        StoreFiles.delete(loaded(contender));
        Files.deleteIfExists(loadResults(contender));
      }
    }
  }

  /** The reads that the process that has written a system's store measures, too. */
  private List<WorkKind> readByWriter(List<EngineWork> works, Contender contender) {
    if (size.conditions().reads() == ReadPlace.REOPENED || !contender.isLoaded()) {
      return List.of();
    }
    return works.stream()
        .filter(work -> work.kind().isRead() && work.contenders().contains(contender))
        .map(EngineWork::kind)
        .toList();
  }

  private Path loadResults(Contender contender) {
    return root.resolve(LOADED + "-" + contender.text() + ".tsv");
  }

  private void load(Contender contender, List<WorkKind> reads) throws IOException {
    Path directory = loaded(contender);
    Path results = loadResults(contender);
    Path maker = root.resolve(LOADED + "-" + contender.text() + ".txt");
    if (!keep || !Files.exists(results)) {
      StoreFiles.delete(directory);
      Files.deleteIfExists(maker);
      tasks.run(tasks.task(contender, WorkKind.LOAD, directory).withReads(reads, results));
      if (keep) {
        Files.writeString(maker, size.data());
      }
    } else {
      checkKept(directory, Files.exists(maker) ? Files.readString(maker) : "unknown");
    }
    MetricFile.Content content = MetricFile.read(results);
    settings.computeIfAbsent(contender, key -> new LinkedHashSet<>()).add(content.settings());
    add(contender, content.figures());
  }

  private void checkKept(Path directory, String found) throws IOException {
    if (!found.equals(size.data())) {
      throw new IOException(
          "the kept store was made in another way: directory="
              + directory
              + ", wanted="
              + size.data()
              + ", found="
              + found
              + "\nName another directory with --dir, or remove this one.");
    }
  }

  private void measure(EngineWork work, Contender contender) throws IOException {
    if (work == EngineWork.OPEN_REPLAY) {
      Path directory = fresh();
      run(contender, WorkKind.REPLAY_FILL, directory);
      add(contender, run(contender, work.kind(), directory).figures());
    } else if (work == EngineWork.MEMORY) {
      List<Metric> loaded = run(contender, work.kind(), loaded(contender)).figures();
      List<Metric> empty = run(contender, work.kind(), fresh()).figures();
      add(contender, new MemoryMetrics(size, loaded, empty).figures());
    } else if (work.writes()) {
      Path copy = fresh();
      if (contender.isLoaded()) {
        StoreFiles.copy(loaded(contender), copy);
      }
      add(contender, run(contender, work.kind(), copy).figures());
    } else {
      add(contender, run(contender, work.kind(), loaded(contender)).figures());
    }
    StoreFiles.delete(root.resolve(FRESH));
  }

  /** An empty directory for a store that is not needed afterwards. */
  private Path fresh() throws IOException {
    Path directory = root.resolve(FRESH);
    StoreFiles.delete(directory);
    Files.createDirectory(directory);
    return directory;
  }

  private void add(Contender contender, List<Metric> measured) {
    figures.addAll(measured);
    assert measured.stream().allMatch(figure -> figure.system().equals(contender.text()));
  }

  private MetricFile.Content run(Contender contender, WorkKind kind, Path directory)
      throws IOException {
    MetricFile.Content content = tasks.run(tasks.task(contender, kind, directory));
    settings.computeIfAbsent(contender, key -> new LinkedHashSet<>()).add(content.settings());
    return content;
  }

  private Path loaded(Contender contender) {
    return root.resolve(LOADED + "-" + contender.text());
  }
}
