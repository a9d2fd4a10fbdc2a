package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.DuplicateValueException;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SchemaViolationException;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import io.bg3.core.transaction.ConflictException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads rows into an open store. One transaction is committed while the next one is filled.
 *
 * <pre>
 *   calling thread     fills 1 | fills 2             | fills 3            | fills 4
 *   thread of commits          | commits 1           | commits 2          | commits 3
 *                                                    has 1, then commits 2 ...
 * </pre>
 *
 * <ul>
 *   <li>A transaction is committed only when the one before it is, so the rows that are committed
 *       are those up to one place of the file.
 *   <li>A transaction does not see the rows of the one before it. If it has read or written what
 *       these change, as the id of an edge that occurs twice, its commit is refused as a conflict.
 *       Then its rows are added once more, to a transaction that sees all rows before them.
 *   <li>If a commit is refused because of a row that breaks a schema or a unique index, the target
 *       commits the halves of the batch, and their halves, until it has found the bad rows. The
 *       rows behind are added once more.
 * </ul>
 */
public final class StoreTarget implements GraphTarget {
  private final GraphStore graph;
  private final int batch;
  private final boolean keepsPropertyIds;
  private final BadRowListener badRows;
  private final BackgroundCommit commits = new BackgroundCommit();
  private Batch filling = new Batch();
  private Batch committing; // null where no commit is under way
  private FilePosition lastCommitted;
  private long vertices;
  private long edges;
  private long renamed;
  private long propertyIds;

  /** The rows of one transaction. */
  private static final class Batch {
    private final List<Row> rows = new ArrayList<>();
    private GraphTransaction transaction; // null until the first row
    private int renamed;
    private int propertyIds;
  }

  /** A row of a transaction: a vertex, or else an edge. */
  private record Row(VertexData vertex, EdgeData edge, FilePosition place) {}

  /**
   * Creates a target that adds {@code batch} rows to {@code graph} in each transaction.
   *
   * @param keepsPropertyIds whether properties keep the ids of the file
   */
  public StoreTarget(
      GraphStore graph, int batch, boolean keepsPropertyIds, BadRowListener badRows) {
    this.graph = graph;
    this.batch = batch;
    this.keepsPropertyIds = keepsPropertyIds;
    this.badRows = badRows;
  }

  @Override
  public long vertices() {
    return vertices;
  }

  @Override
  public long edges() {
    return edges;
  }

  @Override
  public Optional<FilePosition> lastCommitted() {
    return Optional.ofNullable(lastCommitted);
  }

  @Override
  public long renamed() {
    return renamed;
  }

  @Override
  public long propertyIds() {
    return propertyIds;
  }

  @Override
  public void add(VertexData vertex, FilePosition place) throws IOException {
    add(new Row(vertex, null, place));
    commitBatch();
  }

  @Override
  public void add(EdgeData edge, FilePosition place) throws IOException {
    add(new Row(null, edge, place));
    commitBatch();
  }

  private void add(Row row) throws IOException {
    if (filling.transaction == null) {
      filling.transaction = graph.begin();
    }
    try {
      if (row.edge == null) {
        add(row.vertex);
      } else {
        add(row.edge);
      }
    } catch (IllegalArgumentException e) {
      badRows.report(new BadRow(row.place, e.getMessage()));
      return;
    }
    filling.rows.add(row);
  }

  private void commitBatch() throws IOException {
    if (filling.rows.size() >= batch) {
      beginCommit();
    }
  }

  @Override
  public void commit() throws IOException {
    beginCommit();
    endCommit();
  }

  /** Begins to commit the rows that were added, when those before them are committed. */
  private void beginCommit() throws IOException {
    endCommit();
    if (filling.transaction != null) {
      committing = filling;
      filling = new Batch();
      commits.begin(committing.transaction);
    }
  }

  /**
   * Waits for the commit that is under way. If it is refused, its rows are committed in another
   * way, and those that were added meanwhile are added once more.
   */
  private void endCommit() throws IOException {
    Batch ending = committing;
    committing = null;
    if (ending == null) {
      return;
    }
    IllegalArgumentException refusal = null;
    try {
      commits.await();
      count(ending);
      return;
    } catch (SchemaViolationException | DuplicateValueException e) {
      refusal = e;
    } catch (ConflictException e) {
      // with the batch before, which this one has not seen
    } finally {
      close(ending); // still open after some exceptions
    }
    List<Row> behind = filling.rows;
    close(filling);
    filling = new Batch();
    if (refusal == null) {
      commitAnew(ending.rows);
    } else {
      commitParts(ending.rows, refusal);
    }
    for (Row row : behind) {
      add(row);
    }
  }

  /** Waits for the commit that is under way, and counts its rows if they were committed. */
  @Override
  public void settle() {
    Batch ending = committing;
    committing = null;
    if (ending != null) {
      try {
        commits.await();
        count(ending);
      } catch (RuntimeException e) {
        close(ending); // the load ends for another reason, and does not try these rows again
      }
    }
  }

  /** Adds rows to a transaction that sees all rows before them, and commits it. */
  private void commitAnew(List<Row> rows) throws IOException {
    for (Row row : rows) {
      add(row);
    }
    if (filling.transaction == null) {
      return;
    }
    Batch all = filling;
    try {
      all.transaction.commit();
    } catch (SchemaViolationException | DuplicateValueException e) {
      close(all);
      filling = new Batch();
      commitParts(all.rows, e);
      return;
    }
    filling = new Batch();
    count(all);
  }

  /**
   * Commits what was refused as a whole, in their order.
   *
   * @param refusal the reason, which is that of the row if there is one alone
   */
  private void commitParts(List<Row> rows, IllegalArgumentException refusal) throws IOException {
    if (rows.isEmpty()) {
      throw refusal;
    }
    if (rows.size() == 1) {
      badRows.report(new BadRow(rows.get(0).place, refusal.getMessage()));
      return;
    }
    int middle = rows.size() / 2;
    for (List<Row> half : List.of(rows.subList(0, middle), rows.subList(middle, rows.size()))) {
      commitAnew(half);
    }
  }

  private void count(Batch committed) {
    for (Row row : committed.rows) {
      if (row.edge == null) {
        vertices++;
      } else {
        edges++;
      }
      lastCommitted = row.place;
    }
    renamed += committed.renamed;
    propertyIds += committed.propertyIds;
  }

  @Override
  public void close() {
    close(filling);
    if (committing != null) {
      close(committing); // waits for its commit
    }
    commits.close();
  }

  private static void close(Batch batch) {
    if (batch.transaction != null) {
      batch.transaction.rollback();
    }
  }

  private void add(VertexData data) {
    GraphTransaction transaction = filling.transaction;
    long vertex = transaction.addVertex(data.id(), data.labels().toArray(String[]::new));
    try {
      for (PropertyData property : data.properties()) {
        add(vertex, property);
      }
    } catch (IllegalArgumentException e) {
      transaction.removeVertex(vertex); // B2
      throw e;
    }
  }

  private void add(long vertex, PropertyData property) {
    Cardinality cardinality = property.cardinality();
    boolean hasId = property.id() != null && !GeneratedIds.isOfProperty(property.id());
    Object id = hasId && keepsPropertyIds ? property.id() : null;
    GraphTransaction transaction = filling.transaction;
    int number = transaction.setProperty(vertex, cardinality, property.key(), property.value(), id);
    if (hasId && id == null) {
      filling.propertyIds++;
    }
    for (Map.Entry<String, Object> meta : property.metas().entrySet()) {
      transaction.setMeta(new PropertyId(vertex, number), meta.getKey(), meta.getValue());
    }
  }

  private void add(EdgeData data) {
    long from = vertex("from", data.from());
    long to = vertex("to", data.to());
    boolean isMadeUp = GeneratedIds.isOfEdge(data.id());
    EdgeId edge =
        filling.transaction.addEdge(
            from, data.label(), to, isMadeUp ? null : data.id(), data.properties());
    if (isMadeUp && !edge.text().equals(data.id())) {
      filling.renamed++;
    }
  }

  private long vertex(String end, Object id) {
    return vertex(filling.transaction, end, id);
  }

  /**
   * The internal id of an end of an edge.
   *
   * @throws IllegalArgumentException if there is no such vertex
   */
  static long vertex(GraphTransaction transaction, String end, Object id) {
    Long vertex = transaction.findVertex(id);
    if (vertex == null) {
      throw new IllegalArgumentException("no such vertex: " + end + "=" + id);
    }
    return vertex;
  }
}
