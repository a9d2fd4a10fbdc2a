package io.bg3.server.request;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.WritingSteps;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.InjectStep;

/**
 * Opens a read-only transaction for a query that cannot write, outside of sessions. Such a
 * transaction remembers nothing of what it reads, so it must not become one that writes (R63):
 *
 * <ul>
 *   <li>A query is looked at once it has been compiled, before it reads anything.
 *   <li>Queries of a text with terminal steps run while the text is evaluated. They open a
 *       transaction that may write, and a later query of the text goes on in it.
 *   <li>A session never comes here: a later request of it may write.
 *   <li>If a query writes all the same, its transaction refuses that, and the request fails.
 * </ul>
 *
 * <p>A query that begins with {@code call()} or {@code inject()} opens a transaction when it needs
 * one: most services read the newest snapshot without any, and given objects are in no graph.
 *
 * <p>Threads: any.
 */
final class ReadOnlyQueries {
  private ReadOnlyQueries() {}

  /**
   * Called by the thread of a query before it takes the first result. The end of the request ends
   * the transaction.
   *
   * @param compiled its strategies have been applied
   */
  static void begin(Traversal.Admin<?, ?> compiled) {
    if (compiled.getGraph().orElse(null) instanceof Bg3Graph graph
        && !(compiled.getStartStep() instanceof CallStepContract)
        && !(compiled.getStartStep() instanceof InjectStep)
        && !graph.tx().isOpen()
        && !WritingSteps.areIn(compiled, graph)) {
      graph.openReadOnly();
    }
  }
}
