package io.bg3.linkbench.phase;

import java.util.function.LongConsumer;

/**
 * How a phase is watched and ended early.
 *
 * <p>Threads: any.
 */
public final class PhaseControl {
  private final LongConsumer progress;
  private volatile boolean stopped;

  /** The phase tells {@code progress} how much more it has done, from any of its threads. */
  public PhaseControl(LongConsumer progress) {
    this.progress = progress;
  }

  /** Asks the phase to end soon. */
  public void stop() {
    stopped = true;
  }

  /** Whether it was asked to end. */
  public boolean isStopped() {
    return stopped;
  }

  void advance(long by) {
    progress.accept(by);
  }
}
