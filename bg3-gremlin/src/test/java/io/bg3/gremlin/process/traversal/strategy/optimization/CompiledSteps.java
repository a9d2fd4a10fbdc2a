package io.bg3.gremlin.process.traversal.strategy.optimization;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;

/** The steps of a traversal behind all strategies, as texts that tests compare. */
final class CompiledSteps {
  private CompiledSteps() {}

  /** Compiles a copy of a traversal, which can still be compiled and run itself. */
  static String compiled(Traversal<?, ?> traversal) {
    Traversal.Admin<?, ?> admin = traversal.asAdmin().clone();
    admin.applyStrategies();
    return admin.toString();
  }
}
