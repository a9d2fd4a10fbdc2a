package io.bg3.cli;

import io.bg3.server.access.Role;
import io.bg3.server.access.User;
import io.bg3.server.access.UsersFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
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
    description = "Adds, removes and lists the users of a server.",
    footer = {
      "",
      "A password is asked for, or read from the standard input if that is no",
      "terminal. The file keeps its BCrypt hash.",
      "A running server takes a change within a second. 'bg3 server --users FILE' asks",
      "for logins."
    },
    mixinStandardHelpOptions = true)
final class UserCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a subcommand is missing: add, remove or list");
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
              description = "reader, writer or admin (default: ${DEFAULT-VALUE}).")
          String role,
      @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    Role given = Role.of(role);
    User.requireName(name); // check the name before prompting for a password
    char[] password = PasswordPrompt.read(name);
    try {
      boolean replaced = users.put(User.of(name, given, password));
      print((replaced ? "changed" : "added") + " user " + name, given, users);
    } finally {
      Arrays.fill(password, '\0');
    }
    return 0;
  }

  /** {@code bg3 user remove}. */
  @Command(name = "remove", description = "Removes a user.", mixinStandardHelpOptions = true)
  int remove(
      @Parameters(paramLabel = "NAME", description = "Who.") String name, @Mixin UsersOption option)
      throws IOException {
    UsersFile users = option.file();
    if (!users.remove(name)) {
      throw new IOException("there is no such user: name=" + name + ", file=" + users.path());
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

  private void print(String what, Role role, UsersFile users) {
    println(List.of(what + " (" + role.text() + ") in " + users.path()));
  }

  private void println(Collection<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }
}
