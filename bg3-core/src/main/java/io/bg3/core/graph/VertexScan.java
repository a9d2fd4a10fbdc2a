package io.bg3.core.graph;

import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;

/**
 * All vertices in the order of their internal ids, as one transaction sees them. Vertices that its
 * own transaction adds while the scan is open are not shown, vertices that it removes are, with the
 * records that they had.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class VertexScan implements VertexCursor {
  private final Object lock;
  private final Vertices vertices;
  private final ByteCursor cursor;
  private final int[] labels;
  private long vertex;
  private long passed;
  private VertexRecord record;

  /**
   * A scan of the vertices whose first label is one of {@code labels}, or of all if there are none.
   * Without a cursor it is empty.
   */
  VertexScan(Object lock, Vertices vertices, ByteCursor cursor, int... labels) {
    this.lock = lock;
    this.vertices = vertices;
    this.cursor = cursor;
    this.labels = labels;
  }

  @Override
  public boolean next(Runnable pause) {
    while (true) {
      synchronized (lock) {
        record = null;
        for (int read = 0; read < STEP; read++) {
          if (cursor == null || !cursor.next()) {
            return false;
          }
          vertex = GraphKeys.vertexOf(cursor.key());
          passed++;
          if (isWanted()) {
            return true;
          }
        }
      }
      pause.run();
    }
  }

  @Override
  public long vertex() {
    return vertex;
  }

  @Override
  public long passed() {
    return passed;
  }

  private boolean isWanted() {
    if (labels.length == 0) {
      return true;
    }
    VertexRecord written = vertices.written(vertex);
    int first = written != null ? written.label(0) : VertexRecord.firstLabel(cursor.value());
    for (int label : labels) {
      if (label == first) {
        return true;
      }
    }
    return false;
  }

  /** Whether the vertex was removed since the scan was opened. */
  @Override
  public boolean isRemoved() {
    return cursor.isRemoved();
  }

  @Override
  public VertexRecord record() {
    synchronized (lock) {
      if (record == null) {
        VertexRecord written = vertices.written(vertex);
        record = written != null ? written : VertexRecord.read(cursor.value());
      }
      return record;
    }
  }

  @Override
  public void close() {
    if (cursor != null) {
      synchronized (lock) {
        cursor.close();
      }
    }
  }
}
