package io.bg3.core.recovery;

import java.util.function.LongSupplier;

/**
 * When a store takes checkpoints, and how fast.
 *
 * @param logLimit bytes by which the log grows until a checkpoint is due
 * @param logRoom bytes by which it may grow beyond that before commits have to wait
 * @param paced whether a checkpoint spreads its writes over a part of the time until the next
 * @param clock nanoseconds, by which all waits are measured
 */
public record CheckpointSettings(long logLimit, long logRoom, boolean paced, LongSupplier clock) {
  /** Settings with the system's clock. */
  public CheckpointSettings(long logLimit, long logRoom, boolean paced) {
    this(logLimit, logRoom, paced, System::nanoTime);
  }
}
