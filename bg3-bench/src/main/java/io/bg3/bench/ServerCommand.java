package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.server.BothServers;
import io.bg3.bench.server.Clients;
import io.bg3.bench.server.Form;
import io.bg3.bench.server.GuardCost;
import io.bg3.bench.server.Request;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench server}: what the guard of the server costs an ordinary request. */
@Command(
    name = "server",
    description = "Measures what the server's guard costs an ordinary request.",
    footer = {
      "",
      "Requests: point, neighbours, latest, write; each as bytecode, as text, and as a",
      "text with parameters.",
      "One graph in memory stands behind BG3's server and behind TinkerPop's Gremlin",
      "Server with its own pipeline, in one process; another asks both by turns.",
      "Answers that differ end the run with exit code 1. docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {
  private static final int WARM_ROUNDS = 2; // of each request, before any is measured

  private static final List<String> FLAGS =
      List.of(
          "-Xms1g",
          "-Xmx1g",
          "-XX:MaxDirectMemorySize=1g",
          "-XX:+UseG1GC",
          "-XX:+ExitOnOutOfMemoryError",
          "-Dlogback.configurationFile=bench-logback.xml");

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(20_000, 400_000);
  @Mixin private RoundOptions measured = new RoundOptions(9);
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--clients",
      paramLabel = "N",
      split = ",",
      description = "How many clients ask at once, separated by commas (default: 1,16).")
  private List<Integer> clients = List.of(1, 16);

  @Option(
      names = "--only",
      paramLabel = "REQUEST",
      split = ",",
      description = "Only these requests, separated by commas.")
  private List<String> only = List.of();

  @Option(
      names = "--compression",
      paramLabel = "WHICH",
      description =
          "on: the clients ask for compressed answers, as the driver does by default. off: they do"
              + " not, so that no server compresses (default: on).")
  private Compression compression = Compression.ON;

  private enum Compression {
    ON,
    OFF
  }

  @Override
  public Integer call() throws IOException {
    List<Request> requests = requests();
    Path directory = Files.createTempDirectory("bg3-bench-");
    try {
      output.print(String.join("\n", new Machine(directory).lines().subList(0, 1)));
      output.print("flags of the servers' process: " + String.join(" ", FLAGS));
      output.print("data: " + setting());
      output.print("");
      try (ServingProcess servers = start(directory)) {
        return output.finish(measure(requests, servers.handle(), servers.ports()));
      }
    } finally {
      StoreFiles.delete(directory);
    }
  }

  private String setting() {
    return "vertices="
        + graph.vertices()
        + ", edges="
        + graph.edges()
        + ", seed="
        + graph.seed()
        + ", in memory; threads of each server=one a processor; compression="
        + compression.name().toLowerCase(Locale.ROOT)
        + "; rounds="
        + measured.rounds()
        + " of "
        + measured.seconds()
        + " s, median";
  }

  private List<Request> requests() {
    measured.check();
    if (clients.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(spec.commandLine(), "--clients must be positive");
    }
    try {
      PowerLawGraph.check(graph.vertices(), graph.edges());
      return Request.of(only);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ServingProcess start(Path directory) throws IOException {
    return ServingProcess.start(
        FLAGS,
        BothServers.class,
        List.of(
            Integer.toString(graph.vertices()),
            Long.toString(graph.edges()),
            Long.toString(graph.seed()),
            directory.resolve("ports").toString()),
        directory,
        directory.resolve("ports"));
  }

  private Report measure(List<Request> requests, ProcessHandle servers, List<Integer> ports) {
    List<Metric> figures = new ArrayList<>();
    output.print(GuardCost.head());
    for (int count : clients) {
      List<GuardCost> costs = new ArrayList<>();
      for (Form form : Form.values()) {
        requests.forEach(request -> costs.add(cost(request, form, count)));
      }
      try (Clients own = clients(servers, ports.get(0), count);
          Clients other = clients(servers, ports.get(1), count)) {
        costs.forEach(cost -> cost.warm(own, other, WARM_ROUNDS * measured.seconds()));
        for (GuardCost cost : costs) {
          cost.measure(own, other, measured.rounds(), measured.seconds());
          output.print(cost.line());
          figures.addAll(cost.figures());
        }
      }
    }
    return new Report(GuardCost.GUARDED, figures);
  }

  private GuardCost cost(Request request, Form form, int count) {
    return new GuardCost(request, form, count, graph.vertices());
  }

  private Clients clients(ProcessHandle servers, int port, int count) {
    return new Clients(servers, port, count, compression == Compression.ON);
  }
}
