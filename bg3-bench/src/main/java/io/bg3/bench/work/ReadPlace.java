package io.bg3.bench.work;

/** The process in which reads are measured. */
public enum ReadPlace {
  /** In the process that has written the store, from the pages that the writes have left. */
  WRITTEN,
  /** In a process for each work, which opens the store that was written and closed. */
  REOPENED
}
