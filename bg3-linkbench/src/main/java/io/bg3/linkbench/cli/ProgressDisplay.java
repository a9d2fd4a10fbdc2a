package io.bg3.linkbench.cli;

import io.bg3.linkbench.phase.PhaseControl;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A command while it works: bars on a terminal, and Ctrl-C, which ends the phase that runs and lets
 * the command say what was measured so far before the process ends.
 */
final class ProgressDisplay implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "linkbench-stopped");
  private volatile PhaseControl current;
  private volatile boolean stopped;

  ProgressDisplay() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** A phase, with a bar up to a total. */
  final class Stage implements AutoCloseable {
    private final ProgressBar bar;
    private final PhaseControl control = new PhaseControl(this::advance);

    private Stage(ProgressBar bar) {
      this.bar = bar;
      current = control;
      if (stopped) {
        control.stop();
      }
    }

    PhaseControl control() {
      return control;
    }

    private void advance(long by) {
      if (bar != null) {
        bar.stepBy(by);
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }

  Stage stage(String task, long total) {
    boolean terminal = Boolean.getBoolean("bg3.terminal");
    return new Stage(
        terminal
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .build()
            : null);
  }

  /** Whether the process was told to end. */
  boolean isStopped() {
    return stopped;
  }

  private void stop() {
    stopped = true;
    PhaseControl running = current;
    if (running != null) {
      running.stop();
    }
    try {
      if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Thread.currentThread().interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the command has said everything. */
  @Override
  public void close() {
    closed.countDown();
    if (!stopped) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException stopping) {
        assert hook.isAlive() || stopped : stopping; // it came right now
      }
    }
  }
}
