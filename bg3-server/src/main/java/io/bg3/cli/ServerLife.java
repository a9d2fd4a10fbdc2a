package io.bg3.cli;

import io.bg3.server.Bg3Server;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The lifetime of a server process, from its start to its end by a signal. A signal may arrive
 * during the start. The start then continues until the server can be closed, and failures that the
 * stopping JVM causes are not reported.
 *
 * <p>Threads: the thread that starts the server calls {@link #started} and {@link #failed}; a
 * shutdown hook of the JVM calls {@link #end}.
 */
final class ServerLife {
  /** The time that the end waits for the start. Killing a recovery does no harm. */
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

  /** Begins the lifetime; from now on a signal ends it. */
  static ServerLife begin(CommandSpec spec) {
    ServerLife life = new ServerLife(spec);
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(life::end, "bg3-goodbye"));
    } catch (IllegalStateException stopping) {
      life.ending = true; // the signal came first
    }
    return life;
  }

  /** Records the server that {@link #end} closes. */
  void started(Bg3Server running) {
    server = running;
    startOver.countDown();
  }

  /** Records that the start has failed; returns false if the reason is the end of the process. */
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
      Thread.currentThread().interrupt(); // no code interrupts this thread
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
      Runtime.getRuntime().halt(FAILED); // the exit status of the signal would hide the failure
    }
    out.println("stopped, store closed");
    out.flush();
  }
}
