package io.bg3.bench;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.generate.SocialGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 generate}: a store with a graph in it, for users without data. */
@Command(
    name = "generate",
    description = "Makes a store with a social graph: people and pages who follow each other.",
    footer = {
      "",
      "Vertices have ids from 1; every tenth is a page, the others are persons; all",
      "have a name. The edges are 'follows' with a time in milliseconds. The same",
      "numbers make the same graph. A store that has vertices is refused.",
      "",
      "While it runs, the directory takes up to one and a half times the space of the",
      "result. If it is ended early, the store does not open: remove the directory."
    },
    mixinStandardHelpOptions = true)
final class GenerateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private GraphOptions size = new GraphOptions(100_000, 2_000_000);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("data");

  @Override
  public Integer call() throws IOException {
    SocialGraph graph = graph();
    // Commits are not synced: if the machine stops meanwhile, the store is generated again. What
    // is written once needs no long log.
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, data.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.LOG_LIMIT, "64m");
    long begin = System.nanoTime();
    try (Bg3 store = Bg3.open(settings)) {
      write(graph, store);
    }
    print(graph, (System.nanoTime() - begin) / 1e9);
    return 0;
  }

  private SocialGraph graph() {
    try {
      return new SocialGraph(size.vertices(), size.edges(), size.seed());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void print(SocialGraph graph, double seconds) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "made %,d vertices and %,d edges in %.1f s (%,.0f a second)%n",
        size.vertices(),
        size.edges(),
        seconds,
        graph.elements() / seconds);
    out.println("data in " + data.toAbsolutePath().normalize());
    out.flush();
  }

  private static void write(SocialGraph graph, Bg3 store) throws IOException {
    if (!Boolean.getBoolean("bg3.terminal")) {
      graph.load(store, count -> {});
      return;
    }
    try (ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName("generate")
            .setInitialMax(graph.entries())
            .setStyle(ProgressBarStyle.ASCII)
            .build()) {
      graph.load(store, bar::stepBy);
    }
  }
}
