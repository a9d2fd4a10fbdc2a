package io.bg3.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * {@code bg3 console}: the Gremlin Console with BG3's plugin active.
 *
 * <p>The console is not on the class path of the other commands, because a server does not need
 * Groovy's shell. {@code bin/bg3} adds it for this command, which therefore loads its class by
 * name.
 */
@Command(
    name = "console",
    description = "Starts the Gremlin Console with BG3's plugin active; it takes these options:",
    customSynopsis = "bg3 console [-hV] [-CDlQv] [-e=SCRIPT [ARG...]] [-i=SCRIPT [ARG...]]",
    footer = {
      "",
      "  -e, --execute=SCRIPT [ARG...]      run the script, exit with 1 if it fails",
      "  -i, --interactive=SCRIPT [ARG...]  run the script, then read input",
      "  -C, --color                        no colours",
      "  -Q, --quiet                        no banner",
      "  -D, --debug; -l; -v, --version     as in the Gremlin Console",
      "Input from a pipe ends at the first error, with exit code 1.",
      "",
      "To open a store that no other process has open:",
      "  graph = Bg3Graph.open(\"data\"); g = graph.traversal()",
      "  g.addV(\"person\").iterate(); graph.tx().commit()",
      "  graph.close()",
      "A running server:",
      "  :remote connect tinkerpop.server conf/remote.yaml",
      "  :> g.V().count()"
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
final class ConsoleCommand implements Callable<Integer> {
  private static final String CONSOLE = "org.apache.tinkerpop.gremlin.console.Console";

  @Unmatched private final List<String> arguments = new ArrayList<>();

  /** Runs the console, which exits the process. */
  @Override
  public Integer call() throws IOException, IllegalAccessException, NoSuchMethodException {
    if (!Boolean.getBoolean("bg3.input.terminal")) {
      PipedInput.install();
    }
    try {
      Class.forName(CONSOLE)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (ClassNotFoundException e) {
      throw new IOException(
          "the console is not on the class path: class="
              + CONSOLE
              + "\n'bin/bg3 console' starts it, from the directory lib-console of the"
              + " distribution.",
          e);
    } catch (InvocationTargetException e) {
      throw new IOException("the console failed: " + e.getCause(), e.getCause());
    }
    return 0;
  }
}
