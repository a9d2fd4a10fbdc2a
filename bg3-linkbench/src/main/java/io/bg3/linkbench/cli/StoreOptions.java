package io.bg3.linkbench.cli;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.MemoryDatabase;
import picocli.CommandLine.Option;

/** Which store. */
final class StoreOptions {
  /** The stores there are. */
  enum Kind {
    MEMORY
  }

  @Option(
      names = "--store",
      description = "The store: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Kind kind = Kind.MEMORY;

  /** Opens it. */
  LinkDatabase open() {
    return new MemoryDatabase();
  }

  /** Whether what one process loads the next can ask for. */
  boolean keeps() {
    return kind != Kind.MEMORY;
  }
}
