package io.bg3.transfer;

import io.bg3.core.graph.DuplicateIdException;
import io.bg3.core.graph.GraphLoad;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.EdgeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Loads rows into an empty store by a {@link GraphLoad}: commits the vertices as {@link
 * StoreTarget} does, sorts the edges while they come, and writes them when no more rows come. Until
 * then the store does not open again, so all rows are loaded or none.
 *
 * <p>A row with an end that does not exist is bad, as in any load. Of edges with one id, all but
 * one are bad rows, which the end of the load finds: not always the first in the files remains. A
 * label whose edges a load does not write ends the load.
 */
public final class SortedTarget implements GraphTarget {
  /** Ends of edges that come while one snapshot is used, which must not become too old. */
  private static final int ENDS_OF_SNAPSHOT = 1 << 14;

  private static final int KNOWN_BITS = 16;

  /** Ends of edges that are remembered. Nothing removes a vertex during a load. */
  private static final int KNOWN = 1 << KNOWN_BITS;

  private static final int SCATTER = 0x9E3779B9;

  /** Bits of the number of a row in a file; the bits above have the number of the file. */
  private static final int ROW_BITS = 40;

  private final GraphStore graph;
  private final GraphLoad load;
  private final StoreTarget vertices;
  private final BadRowListener badRows;
  private final LongConsumer progress;
  private final Set<String> labels = new HashSet<>(); // that the load takes

  /** Ids of ends that were looked up, by their hashes, and beside them the vertices. */
  private final Object[] knownIds = new Object[KNOWN];

  private final long[] known = new long[KNOWN];

  /** Looks up the ends of edges; null before the first and between snapshots. */
  private GraphTransaction lookUps;

  /** Places of rows before all others of their files, in the order in which the files came. */
  private final List<FilePosition> files = new ArrayList<>();

  private BadRowException tooMany; // bad rows, found at the end
  private int ends; // since the snapshot began
  private long added;
  private long renamed;
  private volatile boolean finished; // read when the process is told to stop

  /**
   * Creates a target that adds rows to {@code graph}.
   *
   * @param load of the graph; is closed with this
   * @param batch number of vertices in each transaction
   * @param keepsPropertyIds whether properties keep the ids of the file
   * @param progress is told how many more entries of edges have been written, two for each edge
   */
  public SortedTarget(
      GraphStore graph,
      GraphLoad load,
      int batch,
      boolean keepsPropertyIds,
      BadRowListener badRows,
      LongConsumer progress) {
    this.graph = graph;
    this.load = load;
    this.vertices = new StoreTarget(graph, batch, keepsPropertyIds, badRows);
    this.badRows = badRows;
    this.progress = progress;
  }

  /** Whether everything is in the store, so that it opens again. */
  public boolean isFinished() {
    return finished;
  }

  /** The number of vertices in a store that opens again, 0 before. */
  @Override
  public long vertices() {
    return finished ? vertices.vertices() : 0;
  }

  /** The number of edges in a store that opens again, 0 before. */
  @Override
  public long edges() {
    return finished ? added : 0;
  }

  /**
   * The number of edges whose generated id in the file has another source, label or target than the
   * edge in the store. A load numbers parallel edges at its end, so their numbers are not compared.
   */
  @Override
  public long renamed() {
    return renamed;
  }

  @Override
  public long propertyIds() {
    return vertices.propertyIds();
  }

  @Override
  public void add(VertexData vertex, FilePosition place) throws IOException {
    vertices.add(vertex, place);
  }

  @Override
  public void add(EdgeData edge, FilePosition place) throws IOException {
    requireLabel(edge.label(), place);
    try {
      long source = vertex("from", edge.from());
      long target = vertex("to", edge.to());
      EdgeId old = edge.id() instanceof String text ? EdgeId.parse(text) : null; // was made up
      Object id = old == null ? edge.id() : null;
      long at = id == null ? 0 : number(place);
      int label = load.add(source, edge.label(), target, id, edge.properties(), at);
      labels.add(edge.label());
      added++;
      if (old != null
          && (old.source() != source || old.label() != label || old.target() != target)) {
        renamed++;
      }
    } catch (IllegalArgumentException e) {
      badRows.report(new BadRow(place, e.getMessage()));
    }
  }

  private void requireLabel(String label, FilePosition place) throws TransferException {
    String refusal = labels.contains(label) ? null : load.refusal(label);
    if (refusal != null) {
      throw new TransferException(
          "a sorted load cannot go on: " + place + ": " + refusal + "\nLoad with --no-bulk.");
    }
  }

  /** A place in one number. */
  private long number(FilePosition place) {
    int last = files.size() - 1;
    if (last < 0
        || !files.get(last).file().equals(place.file())
        || !files.get(last).unit().equals(place.unit())) {
      files.add(new FilePosition(place.file(), place.unit(), 0));
      last++;
    }
    return (long) last << ROW_BITS | place.number();
  }

  private FilePosition place(long number) {
    FilePosition file = files.get((int) (number >>> ROW_BITS));
    return new FilePosition(file.file(), file.unit(), number & (1L << ROW_BITS) - 1);
  }

  private long vertex(String end, Object id) {
    if (lookUps != null && ++ends >= ENDS_OF_SNAPSHOT) {
      endLookUps();
    }
    int place = (id.hashCode() * SCATTER) >>> (Integer.SIZE - KNOWN_BITS);
    if (!id.equals(knownIds[place])) {
      known[place] = lookUp(end, id);
      knownIds[place] = id;
    }
    return known[place];
  }

  private long lookUp(String end, Object id) {
    if (lookUps == null) {
      lookUps = graph.beginReadOnly();
    }
    return StoreTarget.vertex(lookUps, end, id);
  }

  private void endLookUps() {
    ends = 0;
    if (lookUps != null) {
      lookUps.rollback();
      lookUps = null;
    }
  }

  /** Commits the vertices; edges wait for {@link #finish}. */
  @Override
  public void commit() throws IOException {
    vertices.commit();
  }

  /** The number of edges that {@link #finish} writes. */
  public long waiting() {
    return added;
  }

  /**
   * Writes the edges.
   *
   * @throws BadRowException if there are too many bad rows, because edges have the ids of others;
   *     all others are in the store then
   */
  @Override
  public void finish() throws IOException {
    if (finished) {
      return; // a bad row that it found has ended the load
    }
    vertices.commit();
    endLookUps();
    long all = added;
    try {
      load.finish(progress, this::leaveOut);
    } catch (DuplicateIdException e) {
      throw new TransferException(
          e.getMessage()
              + "\nToo many edges have the id of another edge: count="
              + (all - added)
              + "\nCorrect the ids, or load with --no-bulk.",
          e);
    }
    finished = true;
    if (tooMany != null) {
      throw tooMany;
    }
  }

  private void leaveOut(long number, IllegalArgumentException reason) {
    added--;
    if (tooMany == null) {
      try {
        badRows.report(new BadRow(place(number), reason.getMessage()));
      } catch (BadRowException e) {
        tooMany = e; // when all other edges are written
      }
    }
  }

  /** Writes the edges that were added, as if no more were to come. */
  @Override
  public void keep() throws IOException {
    finish();
  }

  /**
   * Discards everything unless it is finished; the store does not open again then.
   *
   * @throws UncheckedIOException if the files of the load cannot be deleted
   */
  @Override
  public void close() {
    endLookUps();
    vertices.close();
    try {
      load.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
