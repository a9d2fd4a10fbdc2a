package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.paper.FlushRule;
import io.bg3.bench.paper.PageFigures;
import io.bg3.bench.paper.PageRun;
import io.bg3.bench.paper.ReclaimFigures;
import io.bg3.bench.paper.Reported;
import io.bg3.bench.paper.TtlFigures;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.StoreFiles;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench paper}: the experiments of the BG3 paper. */
@Command(
    name = "paper",
    description = "Repeats experiments of the BG3 paper and prints its figures beside ours.",
    footer = {
      "",
      "Figure 8: mixes of reads, walks and inserts beside RocksDB, in memory or, with",
      "--on-disk, with less memory than data.",
      "Figure 9: reads a look-up without a cache, one delta a page against a chain.",
      "Figure 10: bytes written, one delta a page against a chain.",
      "Figure 11: commits, waits and memory with few and with very many trees.",
      "Table 2, left half: bytes copied for space by each policy, at equal space.",
      "Table 2, right half: bytes copied while edges expire, or are removed.",
      "The counts of figures 9 and 10 and of table 2, left, depend on the options and",
      "the seed alone, not on the machine. Without --vertices and --edges, figure 11",
      "has 1 M vertices and 30 M edges, and figure 8 has 100 M edges, on disk 500 M:",
      "167 a vertex, and 20 for risk control, which --vertices does not change.",
      "docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class PaperCommand implements Callable<Integer> {
  private static final int MIXES = 8;
  private static final int FOREST = 11;
  private static final Set<Integer> KNOWN = new TreeSet<>(List.of(MIXES, 9, 10, FOREST));
  private static final int TABLE = 2;
  private static final int LEAST_PAGE = 4;
  private static final int LARGEST_PAGE = 256;

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(10_000, 200_000);
  @Mixin private ReclaimOptions reclaim = new ReclaimOptions();
  @Mixin private TtlOptions ttl = new TtlOptions();
  @Mixin private MixOptions mixes = new MixOptions();
  @Mixin private ForestOptions forest = new ForestOptions();
  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--figure",
      paramLabel = "N",
      split = ",",
      description = "The paper's figures, separated by commas (default: 9,10; none with --table).")
  private List<Integer> figures;

  @Option(names = "--table", paramLabel = "N", description = "The paper's table: 2.")
  private Integer table;

  @Option(
      names = "--pages",
      paramLabel = "KIB",
      split = ",",
      description = "Page sizes in KiB, separated by commas (default: 8,16,32,64).")
  private List<Integer> pages = List.of(8, 16, 32, 64);

  @Option(
      names = "--compression",
      paramLabel = "WAY",
      description =
          "How the images of figures 9 and 10 are compressed: none, packed, lz4, zstd"
              + " (default: ${DEFAULT-VALUE}, as bg3.compression.base and .delta).")
  private String compression = "lz4";

  @Option(
      names = "--warm-up",
      paramLabel = "WRITES",
      description = "Writes before those that are counted (default: ${DEFAULT-VALUE}).")
  private int warmUp = 20_000;

  @Option(
      names = "--writes",
      description = "Writes that are counted, with a look-up each (default: ${DEFAULT-VALUE}).")
  private int writes = 20_000;

  @Override
  public Integer call() throws IOException {
    check();
    if (figures == null) {
      figures = table == null ? List.of(9, 10) : List.of();
    }
    List<Metric> found = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    List<Integer> ofPages = figures.stream().filter(figure -> figure == 9 || figure == 10).toList();
    if (!ofPages.isEmpty()) {
      found.addAll(figures(ofPages));
    }
    if (figures.contains(MIXES)) {
      found.addAll(mixes.run(graph, measured, place, output).figures());
    }
    if (figures.contains(FOREST)) {
      found.addAll(forest.run(graph, measured, place, output).figures());
    }
    if (table != null) {
      ReclaimFigures copied = reclaim.run(graph.seed(), output);
      output.print("");
      copied.table().forEach(output::print);
      found.addAll(copied.figures());
      output.print("");
      TtlFigures expired = ttl.run(graph.seed(), place, output);
      output.print("");
      expired.table().forEach(output::print);
      found.addAll(expired.figures());
      faults.addAll(expired.faults());
    }
    String subject = figures.isEmpty() ? ReclaimFigures.SUBJECT : FlushRule.DELTA.system();
    faults.addAll(ForestFigures.faults(found));
    return output.finish(new Report(subject, Reported.beside(found)), faults);
  }

  /** Runs what the figures are made of, and prints them. */
  private List<Metric> figures(List<Integer> numbers) throws IOException {
    PowerLawGraph data = graph.powerLaw();
    String setting = setting();
    output.print("data: " + setting + ", values of 16 to 40 bytes; no splits, no cache");
    PageFigures found = new PageFigures(writes, setting);
    run(data, found);
    for (int figure : numbers) {
      output.print("");
      found.table(figure).forEach(output::print);
    }
    return found.figures(numbers);
  }

  private String setting() {
    return "sources="
        + graph.vertices()
        + ", edges="
        + graph.edges()
        + ", warm-up="
        + warmUp
        + ", writes="
        + writes
        + ", compression="
        + compression
        + ", seed="
        + graph.seed();
  }

  /** Runs each rule with pages of each size, in a directory that is removed. */
  private void run(PowerLawGraph data, PageFigures found) throws IOException {
    Path root = place.create();
    try {
      for (int page : pages) {
        run(data, page, root, found);
      }
    } finally {
      StoreFiles.delete(root);
    }
  }

  /** Runs each rule with pages of one size. */
  private void run(PowerLawGraph data, int page, Path root, PageFigures found) throws IOException {
    Compressor compressor = new Compressor(Compression.of(compression));
    PageRun run = new PageRun(data, compressor, page * 1024, warmUp, writes);
    for (FlushRule rule : FlushRule.values()) {
      Path store = root.resolve(page + "-" + rule.system());
      try (Disk disk = RealDisk.open(Files.createDirectory(store))) {
        found.add(page * 1024, rule, run.run(rule, disk));
      }
      StoreFiles.delete(store);
    }
  }

  private void check() {
    for (int figure : figures == null ? Set.<Integer>of() : figures) {
      if (!KNOWN.contains(figure)) {
        throw new ParameterException(
            spec.commandLine(), "no such figure: figure=" + figure + ", known=" + known());
      }
    }
    if (table != null && table != TABLE) {
      throw new ParameterException(
          spec.commandLine(), "no such table: table=" + table + ", known=" + TABLE);
    }
    checkPages();
    if (!Compression.isValid(compression)) {
      throw new ParameterException(
          spec.commandLine(),
          "no such compression: compression="
              + compression
              + ", known=none, packed, lz4, zstd, zstd:1 to zstd:19");
    }
    reclaim.check();
    ttl.check();
    mixes.check();
    measured.check();
    if (writes < 1 || warmUp < 0) {
      throw new ParameterException(
          spec.commandLine(), "--writes must be positive, and --warm-up not negative");
    }
  }

  private static String known() {
    return String.join(", ", KNOWN.stream().map(String::valueOf).toList());
  }

  private void checkPages() {
    for (int page : pages) {
      if (page < LEAST_PAGE || page > LARGEST_PAGE) {
        throw new ParameterException(
            spec.commandLine(),
            "a page has " + LEAST_PAGE + " to " + LARGEST_PAGE + " KiB: pages=" + page);
      }
    }
  }
}
