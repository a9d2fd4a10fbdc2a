package io.bg3.core.graph;

import io.bg3.core.commit.Dictionary;
import io.bg3.core.commit.Isolation;
import io.bg3.core.commit.TransactionManager;
import io.bg3.core.commit.TransactionWork;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * The property graph of a store: where transactions on it begin.
 *
 * <p>Threads: any.
 */
public final class GraphStore {
  private static final int VERTEX_IDS = 0;
  private static final int RESERVED_IDS = 1;
  private static final int LONGEST_STEP = 1 << 20;

  private final TransactionManager transactions;
  private final Isolation isolation;
  private final ExternalIds externalIds = new ExternalIds();

  /**
   * The graph that {@code transactions} keeps; its transactions validate as {@code isolation} says.
   */
  public GraphStore(TransactionManager transactions, Isolation isolation) {
    this.transactions = transactions;
    this.isolation = isolation;
  }

  /**
   * Begins a transaction, which the caller must end.
   *
   * @throws IllegalStateException if the store is closed
   */
  public GraphTransaction begin() {
    return new GraphTransaction(this, transactions.begin(isolation, false));
  }

  /** Begins a transaction that only reads: it remembers nothing and never conflicts. */
  public GraphTransaction beginReadOnly() {
    return new GraphTransaction(this, transactions.begin(isolation, true));
  }

  /**
   * Does {@code work} and commits it, again after a conflict; see {@link
   * TransactionManager#retry(Isolation, TransactionWork)}.
   */
  public <T> T retry(Function<GraphTransaction, T> work) {
    return transactions.retry(
        isolation,
        transaction -> {
          GraphTransaction graph = new GraphTransaction(this, transaction);
          T result = work.apply(graph);
          graph.flush();
          return result;
        });
  }

  /** The labels that vertices have, or once had, in the order of their codes. */
  public List<String> vertexLabels() {
    return texts(Dictionary.Kind.VERTEX_LABEL);
  }

  /** The labels that edges have, or once had, in the order of their codes. */
  public List<String> edgeLabels() {
    return texts(Dictionary.Kind.EDGE_LABEL);
  }

  /** The keys that properties have, or once had, in the order of their codes. */
  public List<String> propertyKeys() {
    return texts(Dictionary.Kind.PROPERTY_KEY);
  }

  /** The vertex label with this code. */
  public String vertexLabel(int code) {
    return dictionary().text(Dictionary.Kind.VERTEX_LABEL, code);
  }

  /** The edge label with this code. */
  public String edgeLabel(int code) {
    return dictionary().text(Dictionary.Kind.EDGE_LABEL, code);
  }

  /** The property key with this code. */
  public String propertyKey(int code) {
    return dictionary().text(Dictionary.Kind.PROPERTY_KEY, code);
  }

  private List<String> texts(Dictionary.Kind kind) {
    Dictionary dictionary = dictionary();
    int count = dictionary.count(kind);
    List<String> texts = new ArrayList<>(count);
    for (int code = 1; code <= count; code++) {
      texts.add(dictionary.text(kind, code));
    }
    return texts;
  }

  Dictionary dictionary() {
    return transactions.dictionary();
  }

  ExternalIds externalIds() {
    return externalIds;
  }

  /**
   * A vertex id that is not taken. Ids are dense until they meet ones that users gave; then the
   * steps double, so that a million of those in a row cost twenty look-ups.
   */
  long allocate(LongPredicate taken) {
    int step = 1;
    while (true) {
      long id = transactions.allocateIds(VERTEX_IDS, step) + step - 1;
      if (!taken.test(id)) {
        return id;
      }
      step = Math.min(2 * step, LONGEST_STEP);
    }
  }

  long allocateReserved() {
    return VertexId.reserved(transactions.allocateIds(RESERVED_IDS, 1));
  }
}
