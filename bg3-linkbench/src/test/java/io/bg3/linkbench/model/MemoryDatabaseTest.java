package io.bg3.linkbench.model;

/** The map on the heap does what LinkBench expects. */
class MemoryDatabaseTest extends LinkDatabaseContract {
  @Override
  protected LinkDatabase open() {
    return new MemoryDatabase();
  }
}
