package io.bg3.linkbench.cli;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.phase.CountCheck;
import io.bg3.linkbench.phase.Replay;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.PhaseSeeds;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bg3 linkbench verify}: whether the store answers as it should. */
@Command(
    name = "verify",
    description =
        "Gives an empty store and a map on the heap the same requests and compares every answer;"
            + " then compares all counts with the links.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit code 1 if anything differs. The model takes memory: choose a small maxid1."
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private WorkloadOptions workload;
  @Mixin private StoreOptions store;

  @Option(
      names = "--replay",
      paramLabel = "REQUESTS",
      description = "How many requests (default: ${DEFAULT-VALUE}).")
  private long requests = 100_000;

  @Option(
      names = "--counts",
      description = "Load and replay nothing: compare the counts of what is there.")
  private boolean counts;

  @Override
  public Integer call() {
    Config config = workload.config(store.keys());
    NodeDegrees degrees = new NodeDegrees(config);
    PrintWriter out = spec.commandLine().getOut();
    List<String> problems = new ArrayList<>();
    try (ProgressDisplay watch = new ProgressDisplay();
        LinkDatabase database = store.open(config)) {
      if (!counts) {
        problems.addAll(replay(database, config, degrees, watch, out));
      }
      problems.addAll(check(database, config, degrees, watch, out));
      problems.forEach(out::println);
      out.println(
          (problems.isEmpty() ? "the store answers as it should" : "the store answers wrongly")
              + ": problems="
              + problems.size()
              + (watch.isStopped() ? ", stopped before the end" : ""));
      out.flush();
    }
    return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<String> replay(
      LinkDatabase database,
      Config config,
      NodeDegrees degrees,
      ProgressDisplay watch,
      PrintWriter out) {
    PhaseSeeds loads = PhaseSeeds.of(config, "load_random_seed");
    PhaseSeeds seeds = PhaseSeeds.of(config, "request_random_seed");
    List<String> problems;
    try (ProgressDisplay.Stage stage =
        watch.stage("replay", requests + config.endId() - config.startId())) {
      Replay replay = new Replay(database, config, degrees, stage.control());
      replay.load(loads);
      problems = replay.run(seeds, requests);
    }
    out.printf(
        Locale.ROOT,
        "replayed: requests=%,d, differing=%d, seeds=%d, %d%n",
        requests,
        problems.size(),
        loads.seed(),
        seeds.seed());
    return problems;
  }

  private List<String> check(
      LinkDatabase database,
      Config config,
      NodeDegrees degrees,
      ProgressDisplay watch,
      PrintWriter out) {
    try (ProgressDisplay.Stage stage = watch.stage("counts", config.endId() - config.startId())) {
      CountCheck check = new CountCheck(database, config, degrees, stage.control());
      List<String> problems = check.run();
      out.printf(
          Locale.ROOT,
          "counts compared: nodes=%,d, links=%,d, differing=%d%n",
          config.endId() - config.startId(),
          check.links(),
          problems.size());
      return problems;
    }
  }
}
