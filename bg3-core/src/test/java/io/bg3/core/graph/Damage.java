package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.transaction.Transaction;
import java.util.List;
import java.util.function.Consumer;

/** Graphs that are not as they should be, and what a check says of them. */
final class Damage {
  private Damage() {}

  static List<GraphProblem> problems(Bg3 store) {
    return new GraphCheck(store.graph(), looked -> {}).run();
  }

  /** Commits what breaks a rule, and expects a check to name the rule. */
  static void isFound(Bg3 store, String rule, Consumer<Transaction> work) {
    try (GraphTransaction graph = store.graph().begin()) {
      work.accept(graph.transaction());
      graph.commit();
    }
    List<GraphProblem> problems = problems(store);
    assertTrue(
        problems.stream().anyMatch(problem -> problem.rule().equals(rule)), problems.toString());
  }
}
