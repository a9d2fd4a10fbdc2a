package io.bg3.linkbench.cli;

import io.bg3.linkbench.measure.ProcessMetrics;
import io.bg3.linkbench.measure.Results;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.phase.LoadPhase;
import io.bg3.linkbench.phase.RunPhase;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.LoadPlan;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.PhaseSeeds;
import java.io.PrintWriter;
import java.util.Locale;

/** The phases as commands run them, with what they print. */
final class PhaseRunner {
  private static final double MEBIBYTE = 1 << 20;

  private final LinkDatabase database;
  private final Config config;
  private final NodeDegrees degrees;
  private final ProgressDisplay watch;
  private final MetricLines figures;
  private final PrintWriter out;

  PhaseRunner(
      LinkDatabase database,
      Config config,
      ProgressDisplay watch,
      MetricLines figures,
      PrintWriter out) {
    this.database = database;
    this.config = config;
    this.degrees = new NodeDegrees(config);
    this.watch = watch;
    this.figures = figures;
    this.out = out;
  }

  /** Says what is about to be measured. */
  void introduce() {
    out.println("store: " + database.describe());
    out.printf(
        Locale.ROOT,
        "workload: nodes=%,d, types of links=%d, degrees=%s%n",
        config.endId() - config.startId(),
        degrees.types(),
        degrees.source());
    out.flush();
  }

  Results load() {
    PhaseSeeds seeds = PhaseSeeds.of(config, "load_random_seed");
    LoadPlan plan = new LoadPlan(config, degrees, seeds, System.currentTimeMillis());
    int loaders = config.count("loaders", 1, 10_000);
    LoadPhase.Outcome outcome;
    try (ProgressDisplay.Stage stage = watch.stage("load", plan.nodeCount())) {
      outcome =
          new LoadPhase(database, plan, loaders, stage.control())
              .run(config.flag("generate_nodes", true));
    }
    if (!watch.isStopped()) {
      database.settle();
    }
    outcome.results().printTable(out);
    out.printf(
        Locale.ROOT,
        "LOAD PHASE %s: nodes=%,d, links=%,d, seconds=%.1f, links/second=%,.0f, loaders=%d,"
            + " seed=%d%s%n",
        watch.isStopped() ? "STOPPED" : "COMPLETED",
        outcome.nodes(),
        outcome.links(),
        outcome.seconds(),
        outcome.links() / outcome.seconds(),
        loaders,
        seeds.seed(),
        taken());
    out.flush();
    figures.add("linkbench-load", outcome.links() / outcome.seconds(), "links/s");
    addTaken("linkbench-load");
    return outcome.results();
  }

  RunPhase.Outcome requests() {
    PhaseSeeds seeds = PhaseSeeds.of(config, "request_random_seed");
    RunPhase.Outcome outcome;
    long total = config.number("requests") * config.number("requesters");
    long before = database.bytesOnDisk();
    try (ProgressDisplay.Stage stage = watch.stage("run", total)) {
      outcome = new RunPhase(database, config, degrees, seeds, stage.control()).run();
    }
    Results results = outcome.results();
    results.printTable(out);
    results.printSeconds(out);
    out.printf(
        Locale.ROOT,
        "REQUEST PHASE %s: requests=%,d, seconds=%.1f, requests/second=%,.0f, requesters=%s,"
            + " failed=%d, aborted=%d, seed=%d%s%n",
        watch.isStopped() ? "STOPPED" : "COMPLETED",
        results.count(),
        results.seconds(),
        results.count() / results.seconds(),
        config.text("requesters"),
        results.failures(),
        outcome.aborted(),
        seeds.seed(),
        taken());
    long after = database.bytesOnDisk();
    if (before > 0 && after > 0) {
      out.printf(
          Locale.ROOT,
          "DISK: MiB before the requests=%,.1f, after=%,.1f, growth=%+,.1f%n",
          before / MEBIBYTE,
          after / MEBIBYTE,
          (after - before) / MEBIBYTE);
      figures.add("linkbench-requests-disk-before", (double) before, "B");
    }
    if (outcome.firstFailure() != null) {
      out.println("first failure: " + outcome.firstFailure().getMessage());
    }
    out.flush();
    figures.add("linkbench-requests", results.count() / results.seconds(), "requests/s");
    figures.add("linkbench-requests-least", results.leastPerSecond(), "requests/s");
    figures.add(results);
    addTaken("linkbench-requests");
    return outcome;
  }

  /** The resources of {@link #taken}, as figures. */
  private void addTaken(String phase) {
    ProcessMetrics process = ProcessMetrics.now();
    figures.add(phase + "-disk", (double) database.bytesOnDisk(), "B");
    figures.add(phase + "-written", (double) process.written(), "B");
    figures.add(phase + "-resident", (double) process.peak(), "B");
  }

  /** The resources of a run: space of the store, and memory and writes of this process. */
  private String taken() {
    long disk = database.bytesOnDisk();
    ProcessMetrics process = ProcessMetrics.now();
    return (disk <= 0 ? "" : String.format(Locale.ROOT, ", MiB on disk=%,.1f", disk / MEBIBYTE))
        + String.format(
            Locale.ROOT,
            "; this process: MiB written=%,.1f, most MiB resident=%,.1f",
            process.written() / MEBIBYTE,
            process.peak() / MEBIBYTE);
  }
}
