package io.bg3.cli;

import io.bg3.server.Bg3Server;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The time from the start of a server process to its end by a signal, which may come during the
 * start as well. Then the start goes on to where the server can be closed, and nothing that it runs
 * into because the virtual machine is stopping is reported as a failure.
 *
 * <p>Threads: {@link #started} and {@link #failed} are called by the thread that starts the server,
 * {@link #end} by the virtual machine's.
 */
final class ServerLife {
  /** How long the end waits for the start; a kill in the middle of a recovery does no harm. */
  private static final long PATIENCE_SECONDS = 10;

  private static final int FAILED = 1;

  private final PrintWriter out;
  private final PrintWriter err;
  private final CountDownLatch startOver = new CountDownLatch(1);
  private volatile boolean ending;
  private volatile Bg3Server server; // null until it has started

  private ServerLife(CommandSpec spec) {
    this.out = spec.commandLine().getOut();
    this.err = spec.commandLine().getErr();
  }

  /** Begins; a signal ends it from here on. */
  static ServerLife begin(CommandSpec spec) {
    ServerLife life = new ServerLife(spec);
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(life::end, "bg3-goodbye"));
    } catch (IllegalStateException stopping) {
      life.ending = true; // the signal was first
    }
    return life;
  }

  /** Takes note of the server that {@link #end} is to close. */
  void started(Bg3Server running) {
    server = running;
    startOver.countDown();
  }

  /** Takes note that the start has failed; false if it has because the process is ending. */
  boolean failed() {
    startOver.countDown();
    return !ending;
  }

  private void end() {
    ending = true;
    try {
      if (!startOver.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        err.println("bg3: stopped during the start; the next start recovers the store");
        err.flush();
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody has a reason to interrupt it
    }
    Bg3Server running = server;
    if (running != null) {
      close(running);
    }
  }

  private void close(Bg3Server running) {
    try {
      running.close();
    } catch (RuntimeException e) {
      err.println("bg3: stopped, but the store was not closed: reason=" + Errors.message(e));
      err.println("The next start recovers it from its log.");
      err.flush();
      Runtime.getRuntime().halt(FAILED); // the signal's status would say that all went well
    }
    out.println("stopped, store closed");
    out.flush();
  }
}
