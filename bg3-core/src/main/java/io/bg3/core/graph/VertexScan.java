package io.bg3.core.graph;

import io.bg3.core.commit.ByteCursor;

/**
 * All vertices in the order of their internal ids, as one transaction sees them. What its own
 * transaction adds while the scan is open is not shown, what it removes meanwhile is skipped.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class VertexScan implements AutoCloseable {
  private final Object lock;
  private final Vertices vertices;
  private final ByteCursor cursor;
  private long vertex;
  private VertexRecord record;

  VertexScan(Object lock, Vertices vertices, ByteCursor cursor) {
    this.lock = lock;
    this.vertices = vertices;
    this.cursor = cursor;
  }

  /**
   * Goes to the next vertex; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public boolean next() {
    synchronized (lock) {
      record = null;
      if (!cursor.next()) {
        return false;
      }
      vertex = GraphKeys.vertexOf(cursor.key());
      return true;
    }
  }

  /** The internal id of the vertex. */
  public long vertex() {
    return vertex;
  }

  /** Whether the vertex has the label with this code; cheaper than asking its record. */
  public boolean hasLabel(int code) {
    synchronized (lock) {
      VertexRecord written = vertices.written(vertex);
      return written != null ? written.hasLabel(code) : VertexRecord.hasLabel(cursor.value(), code);
    }
  }

  /** Labels and properties of the vertex. */
  public VertexRecord record() {
    synchronized (lock) {
      if (record == null) {
        VertexRecord written = vertices.written(vertex);
        record = written != null ? written : VertexRecord.decode(cursor.value());
      }
      return record;
    }
  }

  /** Lets go of the scan. What it has not reached counts as not read. */
  @Override
  public void close() {
    cursor.close();
  }
}
