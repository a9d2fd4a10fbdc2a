package io.bg3.bench.store;

/** The step of durability that a commit waits for. */
public enum Sync {
  /** Until it is on the disk. */
  EVERY_COMMIT,
  /** Until the operating system has it; a kill of the process takes nothing, a power cut may. */
  HANDED_OVER,
  /** Until it is applied; its log reaches the operating system a few milliseconds later. */
  APPLIED
}
