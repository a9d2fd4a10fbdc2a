package io.bg3.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the state of some work if the process is stopped in the middle of it. */
final class ShutdownReport implements AutoCloseable {
  private final Thread hook;

  /** Registers a message to print if the process is stopped before this is closed. */
  ShutdownReport(CommandSpec spec, Supplier<String> message) {
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
      assert !hook.isDaemon() : stopping; // the hook is running and prints the message
    }
  }
}
