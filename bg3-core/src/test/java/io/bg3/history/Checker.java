package io.bg3.history;

import java.util.List;

/**
 * Says whether a history is strictly serialisable: whether its transactions could have run one
 * after another, each between its start and its end, and every one of them would have seen what it
 * saw. Linear in the size of the history, but for sorting by time.
 *
 * <p>Not detected: what nobody read. Hence the final read of every key.
 */
public final class Checker {
  private Checker() {}

  /** Checks a history whose clients have stopped. */
  public static Report check(History history) {
    long begin = System.nanoTime();
    List<Attempt> attempts = history.attempts();
    Report report = new Report();
    Keys keys = new Keys(attempts);
    Transactions transactions = Transactions.of(attempts, keys);
    Graph graph = Dependencies.draw(keys, transactions, transactions.values(), report);
    CycleSearch.report(graph, transactions, keys, report);
    report.summarise(
        "transactions="
            + attempts.size()
            + ", effective="
            + transactions.count()
            + ", keys="
            + keys.count()
            + ", edges="
            + graph.edges()
            + ", ms="
            + (System.nanoTime() - begin) / 1_000_000);
    return report;
  }
}
