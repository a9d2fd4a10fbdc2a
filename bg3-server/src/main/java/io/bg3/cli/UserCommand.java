package io.bg3.cli;

import io.bg3.server.access.GraphRoles;
import io.bg3.server.access.Role;
import io.bg3.server.access.User;
import io.bg3.server.access.UserLimits;
import io.bg3.server.access.UsersFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bg3 user}: manages the users of a server. */
@Command(
    name = "user",
    description = "Adds, limits, removes and lists the users of a server, and sets their roles.",
    footer = {
      "",
      "A password is asked for, or read from the standard input if that is no",
      "terminal. The file keeps its BCrypt hash.",
      "A running server takes a change within a second. 'bg3 server --users FILE' asks",
      "for logins."
    },
    mixinStandardHelpOptions = true)
final class UserCommand implements Runnable {
  private static final String DEFAULT = "default";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a subcommand is missing: add, role, limit, remove or list");
  }

  /** {@code bg3 user add}. */
  @Command(
      name = "add",
      description = "Adds a user, or gives one a new password and role.",
      mixinStandardHelpOptions = true)
  int add(
      @Parameters(paramLabel = "NAME", description = "Who.") String name,
      @Option(
              names = "--role",
              paramLabel = "ROLE",
              defaultValue = "writer",
              description = "none, reader, writer or admin (default: ${DEFAULT-VALUE}).")
          String role,
      @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    Role given = Role.of(role);
    User.requireName(name); // check the name before prompting for a password
    char[] password = PasswordPrompt.read(name);
    try {
      Optional<User> before = users.find(name);
      User user =
          User.of(name, given, password)
              .limited(before.map(User::limits).orElse(UserLimits.NONE))
              .onGraphs(before.map(User::graphs).orElse(GraphRoles.NONE));
      users.put(user);
      println(List.of((before.isPresent() ? "changed" : "added") + " user " + user + where(users)));
    } finally {
      Arrays.fill(password, '\0');
    }
    return 0;
  }

  /** {@code bg3 user role}. */
  @Command(
      name = "role",
      description = "Gives a user a role on all graphs, or on one graph.",
      footer = {
        "",
        "A role on one graph comes before the role on all graphs, and default takes it",
        "away again. A user with the role none on a graph is told that there is no such",
        "graph. The role admin is for all graphs."
      },
      mixinStandardHelpOptions = true)
  int role(
      @Parameters(index = "0", paramLabel = "NAME", description = "Who.") String name,
      @Parameters(
              index = "1",
              paramLabel = "ROLE",
              description = "none, reader, writer or admin; with --graph also default.")
          String role,
      @Option(names = "--graph", paramLabel = "GRAPH", description = "The graph (default: all).")
          String graph,
      @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    Role given = role.equals(DEFAULT) && graph != null ? null : Role.of(role);
    User user = users.find(name).orElseThrow(() -> unknown(name, users));
    User changed = graph == null ? user.as(given) : user.onGraphs(user.graphs().with(graph, given));
    users.put(changed);
    println(List.of("changed user " + changed + where(users)));
    return 0;
  }

  /** {@code bg3 user limit}. */
  @Command(
      name = "limit",
      description = "Sets limits for the queries of a user.",
      footer = {
        "",
        "Each limit is a number, none, or default for the setting of the server. A",
        "limit that is not named stays as it is."
      },
      mixinStandardHelpOptions = true)
  int limit(
      @Parameters(paramLabel = "NAME", description = "Who.") String name,
      @Option(
              names = "--time",
              paramLabel = "MS",
              description =
                  "Milliseconds that a query may take (default: server.evaluation.timeout, which no"
                      + " user exceeds).")
          String time,
      @Option(
              names = "--queries",
              paramLabel = "N",
              description =
                  "Queries that run at once, those in transactions apart (default:"
                      + " server.user.queries).")
          String queries,
      @Option(
              names = "--memory",
              paramLabel = "BYTES",
              description =
                  "Bytes that a query may allocate, garbage included (default:"
                      + " server.user.memory).")
          String memory,
      @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    User user = users.find(name).orElseThrow(() -> unknown(name, users));
    if (time == null && queries == null && memory == null) {
      throw new ParameterException(
          spec.subcommands().get("limit"), "a limit is missing: --time, --queries or --memory");
    }
    User limited = user.limited(user.limits().with(time, queries, memory));
    users.put(limited);
    println(List.of("limited user " + limited + where(users)));
    return 0;
  }

  private static IOException unknown(String name, UsersFile users) {
    return new IOException("there is no such user: name=" + name + ", file=" + users.path());
  }

  /** {@code bg3 user remove}. */
  @Command(name = "remove", description = "Removes a user.", mixinStandardHelpOptions = true)
  int remove(
      @Parameters(paramLabel = "NAME", description = "Who.") String name, @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    if (!users.remove(name)) {
      throw unknown(name, users);
    }
    println(List.of("removed user " + name + " from " + users.path()));
    return 0;
  }

  /** {@code bg3 user list}. */
  @Command(name = "list", description = "Lists the users.", mixinStandardHelpOptions = true)
  int list(@Mixin UsersOption option) throws IOException {
    println(option.file().read().values().stream().map(User::toString).toList());
    return 0;
  }

  /** The option for the file of the users, for each of the commands. */
  static final class UsersOption {
    @Option(
        names = "--file",
        paramLabel = "FILE",
        defaultValue = "users",
        description = "The file of the users (default: ./${DEFAULT-VALUE}).")
    private Path path;

    UsersFile file() {
      return new UsersFile(path);
    }
  }

  private static String where(UsersFile users) {
    return " in " + users.path();
  }

  private void println(Collection<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }
}
