package io.bg3.core.page;

/** Takes the entries of a run of an edge leaf. */
interface RunSink {
  void add(long owner, int tagLabel, int entries);
}
