package io.bg3.gremlin.structure;

import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * The interrupts of threads that run traversals, as reads and writes of many elements notice them.
 */
final class Interrupts {
  private Interrupts() {}

  /**
   * Called now and then by what takes long.
   *
   * @throws TraversalInterruptedException if the thread was interrupted
   */
  static void check() {
    if (Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
  }
}
