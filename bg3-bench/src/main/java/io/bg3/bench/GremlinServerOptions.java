package io.bg3.bench;

import io.bg3.bench.gremlin.GraphServer;
import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinTask;
import io.bg3.bench.gremlin.GremlinWork;
import io.bg3.bench.gremlin.ServedRounds;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.server.Clients;
import io.bg3.core.commit.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of {@code bg3 bench gremlin} for traversals that go through servers, and their run:
 * BG3 behind its server and TinkerGraph behind TinkerPop's, each in a process of its own, asked by
 * turns.
 */
final class GremlinServerOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      description =
          "Ask through servers instead: BG3 behind its own, TinkerGraph behind TinkerPop's Gremlin"
              + " Server.")
  private boolean server;

  @Option(
      names = "--clients",
      paramLabel = "N",
      split = ",",
      description =
          "With --server: how many clients ask at once, separated by commas (default: 1,16).")
  private List<Integer> clients = List.of(1, 16);

  @Option(
      names = "--durability",
      paramLabel = "WHICH",
      description = "With --server: bg3.durability of BG3, sync, async or none (default: none).")
  private Durability durability = Durability.NONE;

  /** Whether traversals go through servers. */
  boolean isAsked() {
    return server;
  }

  /** Checks the options. */
  void check(List<GremlinSystem> systems, List<GremlinWork> works) {
    if (clients.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(spec.commandLine(), "--clients must be positive");
    }
    for (GremlinSystem system : systems) {
      if (!system.isBuiltIn()) {
        throw new ParameterException(
            spec.commandLine(),
            "--server measures bg3 and tinkergraph only: system=" + system.text());
      }
    }
    if (works.stream().noneMatch(GremlinWork::isServed)) {
      throw new ParameterException(
          spec.commandLine(),
          "a server cannot be asked for these works: "
              + String.join(", ", works.stream().map(GremlinWork::text).toList()));
    }
  }

  /**
   * Starts a server for each system, asks all of them, and prints a line for each work and number
   * of clients as soon as it is measured.
   *
   * @return the exit code of the command
   */
  int run(List<GremlinTask> tasks, List<GremlinWork> works, String data, ReportOutput output)
      throws IOException {
    List<ServingProcess> processes = new ArrayList<>();
    List<ServedRounds.Served> served = new ArrayList<>(); // by number of clients, then by system
    try {
      new Machine(tasks.get(0).directory()).lines().subList(0, 2).forEach(output::print);
      output.print(data + ", bg3.durability=" + text(durability));
      List<Integer> ports = new ArrayList<>();
      for (GremlinTask task : tasks) { // one after the other: a load takes all processors
        ServingProcess process = start(task);
        processes.add(process);
        ports.add(process.ports().get(0));
      }
      for (int count : clients) {
        for (int i = 0; i < tasks.size(); i++) {
          ProcessHandle process = processes.get(i).handle();
          served.add(
              new ServedRounds.Served(
                  tasks.get(i).system(), new Clients(process, ports.get(i), count, true)));
        }
      }
      return output.finish(measure(tasks.get(0), served, works, output));
    } finally {
      served.forEach(each -> each.clients().close());
      processes.forEach(ServingProcess::close);
    }
  }

  private Report measure(
      GremlinTask task,
      List<ServedRounds.Served> served,
      List<GremlinWork> works,
      ReportOutput output) {
    List<Metric> figures = new ArrayList<>();
    output.print("xN: N clients ask at once");
    output.print(table(List.of(), 1).head());
    for (GremlinWork work : works) {
      for (int i = 0; i < clients.size(); i++) { // side by side: later works make the graph grow
        int count = clients.get(i);
        if (count == 1 ? work.isServed() : work.isShared()) {
          int systems = served.size() / clients.size();
          List<ServedRounds.Served> asked = served.subList(i * systems, (i + 1) * systems);
          List<Metric> row = new ServedRounds(task, asked, setting(count)).measure(work);
          table(row, count).lines().forEach(output::print);
          figures.addAll(row);
        }
      }
    }
    return new Report(GremlinSystem.BG3.text(), figures);
  }

  private ServingProcess start(GremlinTask task) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(text(durability)));
    arguments.addAll(task.arguments());
    return ServingProcess.start(
        SystemProcess.flags(task.system(), task.heap(), task.memory()),
        GraphServer.class,
        arguments,
        task.directory(),
        task.results());
  }

  private static GremlinTable table(List<Metric> figures, int clients) {
    return new GremlinTable(
        new Report(GremlinSystem.BG3.text(), figures),
        List.of(),
        GremlinTable.Cost.PROCESSOR,
        " x" + clients);
  }

  private String setting(int count) {
    return "server, clients=" + count + ", bg3.durability=" + text(durability);
  }

  private static String text(Durability durability) {
    return durability.name().toLowerCase(Locale.ROOT);
  }
}
