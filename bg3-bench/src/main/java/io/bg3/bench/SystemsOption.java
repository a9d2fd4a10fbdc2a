package io.bg3.bench;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Omission;
import io.bg3.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that names the graph systems which a command measures, and the report on them. */
final class SystemsOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private final List<GremlinSystem> known;

  @Option(
      names = "--systems",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only these systems, separated by commas (default: bg3,tinkergraph).")
  private List<String> names = List.of();

  /**
   * @param known the systems that the command can measure
   */
  SystemsOption(List<GremlinSystem> known) {
    this.known = known;
  }

  /** Measures one system. */
  interface Measuring {
    MetricFile.Content of(GremlinSystem system) throws IOException;
  }

  /**
   * Checks the names.
   *
   * @throws ParameterException if one is of no system
   */
  List<GremlinSystem> systems() {
    try {
      return GremlinSystem.of(known, names);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Measures the systems one after the other and prints what comes out.
   *
   * @param root the directory of the stores
   * @param data the line about the data and the rounds
   * @return the exit code of the command
   */
  int report(Path root, String data, Measuring measuring, ReportOutput output) throws IOException {
    new Machine(root).lines().subList(0, 2).forEach(output::print);
    output.print(data);
    List<Metric> figures = new ArrayList<>();
    List<Omission> omitted = new ArrayList<>();
    for (GremlinSystem system : systems()) {
      if (!system.isBuiltIn()) { // what cannot be had is missed before the others are measured
        var unused = new PeerLibraries().classPath(system);
      }
    }
    for (GremlinSystem system : systems()) {
      MetricFile.Content content = measuring.of(system);
      output.print(system.text() + ": " + content.settings());
      figures.addAll(content.figures());
      omitted.addAll(content.omitted());
    }
    output.print("");
    Report report = new Report(GremlinSystem.BG3.text(), figures);
    GremlinTable table = new GremlinTable(report, omitted);
    output.print(table.head());
    table.lines().forEach(output::print);
    return output.finish(report);
  }
}
