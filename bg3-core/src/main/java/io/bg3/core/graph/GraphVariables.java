package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * The variables of the graph, as one transaction sees and writes them: values under names, which
 * belong to no vertex and no edge.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class GraphVariables {
  private final Object lock;
  private final Transaction transaction;

  /** The variables that {@code transaction} sees; all calls synchronize on {@code lock}. */
  GraphVariables(Object lock, Transaction transaction) {
    this.lock = lock;
    this.transaction = transaction;
  }

  /** The value of a variable, null if it is not set. */
  public Object get(String name) {
    synchronized (lock) {
      byte[] value = transaction.get(TreeIds.META, GraphKeys.variable(name));
      return value == null ? null : ValueCodec.decode(value);
    }
  }

  /**
   * Sets a variable.
   *
   * @throws io.bg3.core.record.UnsupportedValueException if the value cannot be stored
   * @throws io.bg3.core.limit.LimitExceededException if name or value are too long
   * @throws IllegalArgumentException if the name is empty or malformed
   */
  public void set(String name, Object value) {
    synchronized (lock) {
      transaction.put(TreeIds.META, GraphKeys.newVariable(name), ValueCodec.encode(value));
    }
  }

  /** Removes a variable; does nothing if it is not set. */
  public void remove(String name) {
    synchronized (lock) {
      transaction.delete(TreeIds.META, GraphKeys.variable(name));
    }
  }

  /** The names of the variables that are set, in the order of their keys. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    byte[] low = GraphKeys.variablesLow();
    byte[] high = GraphKeys.variablesHigh();
    synchronized (lock) {
      try (ByteCursor cursor = transaction.scan(TreeIds.META, low, high, ScanOrder.FORWARD)) {
        while (cursor.next()) {
          names.add(GraphKeys.variableOf(cursor.key()));
        }
      }
    }
    return names;
  }
}
