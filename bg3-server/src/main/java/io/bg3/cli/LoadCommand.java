package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.load.BadRow;
import io.bg3.load.LoadException;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bg3 load}: loads CSV files into a store that nobody else has open. */
@Command(
    name = "load",
    description =
        "Loads CSV files into a store; files with ~from and ~to hold edges, all others vertices.",
    footer = {
      "",
      "The first line names the columns: ~id, ~label, ~from, ~to, and name:type for properties.",
      "Types: bool, byte, short, int, long, float, double, string, date; type[] for several",
      "values separated by ';'; type(single) and type(set) for how a vertex keeps them.",
      "A bad row is reported and left out, or, with --strict, ends the load with exit code 1."
    },
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  /** More bad rows than this are counted and not printed. */
  private static final int SHOWN = 100;

  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;

  @Option(names = "--strict", description = "Stop at the first bad row.")
  private boolean strict;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "CSV files, in any order.")
  private List<Path> files;

  private int shown;

  @Override
  public Integer call() throws IOException, LoadException {
    long bytes = Loader.bytes(files);
    LoadSummary summary;
    try (Bg3 open = OpenStore.open(store.settings());
        Progress progress = Progress.ofBytes("load", bytes)) {
      summary = new Loader(open.graph(), strict, this::show, progress::advance).load(files);
    }
    print(summary);
    return 0;
  }

  private void show(BadRow row) {
    PrintWriter err = spec.commandLine().getErr();
    if (++shown <= SHOWN) {
      err.println("bad row: " + row);
    } else if (shown == SHOWN + 1) {
      err.println("bad row: further ones are only counted");
    }
    err.flush();
  }

  private void print(LoadSummary summary) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "loaded %,d vertices and %,d edges in %.1f s (%,.0f a second, %,.1f MB a second)%n",
        summary.vertices(),
        summary.edges(),
        summary.seconds(),
        summary.elementsPerSecond(),
        summary.bytesPerSecond() / 1e6);
    out.printf(Locale.ROOT, "bad rows left out: %,d%n", summary.bad());
    out.println("data in " + store.directory());
    out.flush();
  }
}
