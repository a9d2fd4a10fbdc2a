package io.bg3.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Says what is left when the process is told to stop in the middle of some work. */
final class OnStop implements AutoCloseable {
  private final Thread hook;

  /** Prints what {@code message} gives then, unless this is closed before. */
  OnStop(CommandSpec spec, Supplier<String> message) {
    PrintWriter err = spec.commandLine().getErr();
    this.hook =
        new Thread(
            () -> {
              err.println(System.lineSeparator() + "bg3: stopped in the middle: " + message.get());
              err.flush();
            },
            "bg3-stopped");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      assert !hook.isDaemon() : stopping; // it is under way, and says what it has to say
    }
  }
}
