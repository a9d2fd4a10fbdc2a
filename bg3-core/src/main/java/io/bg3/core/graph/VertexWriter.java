package io.bg3.core.graph;

import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Transaction;

/**
 * Writes vertices of one transaction with all their properties at once, by codes and bytes, with no
 * search for each property: for a caller that knows all that a vertex has. Each key has one value,
 * without meta-properties. A vertex that is written here can be read and changed by {@link
 * GraphTransaction} like anything else.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class VertexWriter {
  private final Object lock;
  private final Transaction transaction;
  private final Vertices vertices;
  private final Runnable changing;

  /**
   * @param changing told before anything is changed
   */
  VertexWriter(Object lock, Transaction transaction, Vertices vertices, Runnable changing) {
    this.lock = lock;
    this.transaction = transaction;
    this.vertices = vertices;
    this.changing = changing;
  }

  /**
   * Adds a vertex.
   *
   * @param vertex its id, a number that is not reserved
   * @throws DuplicateIdException if it exists
   * @throws IllegalArgumentException if the id or the label is not allowed
   */
  public void add(long vertex, String label, PropertyBytes properties) {
    synchronized (lock) {
      changing.run();
      int code = transaction.code(Dictionary.Kind.VERTEX_LABEL, label);
      vertices.addNumbered(vertex, properties, code);
    }
  }

  /**
   * Puts properties in the place of all that a vertex has.
   *
   * @return false if there is no such vertex, or it does not have the label
   */
  public boolean replace(long vertex, String label, PropertyBytes properties) {
    synchronized (lock) {
      VertexRecord old = vertices.record(vertex);
      int code = old == null ? 0 : transaction.findCode(Dictionary.Kind.VERTEX_LABEL, label);
      if (code == 0 || !old.hasLabel(code)) {
        return false;
      }
      changing.run();
      vertices.replace(vertex, old, properties);
      return true;
    }
  }
}
