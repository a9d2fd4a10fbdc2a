package io.bg3.cli;

import io.bg3.server.log.Printable;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteQueries;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bg3 queries}: lists and ends the queries of a running server. */
@Command(
    name = "queries",
    description = "Lists the queries that run or wait on a server, or ends one.",
    footer = {
      "",
      "A user with the role admin sees the queries of all users; another user, and a",
      "client of a server without users, sees its own."
    },
    mixinStandardHelpOptions = true)
final class QueriesCommand implements Callable<Integer> {
  private static final int QUERY = 1_000;
  private static final int WORD = 100;

  @Spec private CommandSpec spec;
  @Mixin private RemoteOptions server;

  @Option(
      names = "--graph",
      paramLabel = "NAME",
      description = "A graph that the user may query (default: ${DEFAULT-VALUE}).",
      defaultValue = "g")
  private String graph;

  @ArgGroup(multiplicity = "1")
  private Work work;

  /** One of the two. */
  private static final class Work {
    @SuppressWarnings("UnusedVariable") // what is not a kill is a list
    @Option(names = "--list", required = true, description = "List the queries.")
    private boolean isList;

    @Option(
        names = "--kill",
        required = true,
        paramLabel = "ID",
        description = "End the query of this id, as the end of its time would.")
    private Long id;
  }

  @Override
  public Integer call() throws IOException {
    try (RemoteGraph connected = server.connectOrLocal(spec, graph)) {
      RemoteQueries queries = new RemoteQueries(connected);
      if (work.id == null) {
        print(queries.list());
      } else if (queries.kill(work.id)) {
        println("ended query " + work.id);
      } else {
        throw new IOException(
            "there is no such query, or it cannot be ended any more: id="
                + work.id
                + "\n'bg3 queries --list' shows the queries that you may end.");
      }
    }
    return 0;
  }

  private void print(List<Map<?, ?>> rows) {
    println(
        String.format(
            Locale.ROOT,
            "%8s %-8s %10s %15s %12s  %-16s %-16s %-22s %s",
            "id",
            "state",
            "age ms",
            "allocated",
            "snapshot ms",
            "graph",
            "user",
            "address",
            "query"));
    for (Map<?, ?> row : rows) {
      println(
          String.format(
              Locale.ROOT,
              "%8s %-8s %10s %15s %12s  %-16s %-16s %-22s %s",
              word(row.get("id")),
              word(row.get("state")),
              word(row.get("ageMillis")),
              word(row.get("allocatedBytes")),
              word(row.get("snapshotMillis")),
              word(row.get("graph")),
              word(row.get("user")),
              word(row.get("address")),
              text(row.get("query"), QUERY)));
    }
  }

  private static String word(Object value) {
    return value == null ? "-" : text(value, WORD);
  }

  /** A text of a server, without characters that control the terminal. */
  private static String text(Object value, int most) {
    return Printable.unquoted(Objects.toString(value, ""), most);
  }

  private void println(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
