package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.graph.Sought;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The reads of a graph that BG3's steps and strategies use beside those of TinkerPop's {@code
 * Graph}. All happen in the transaction of the calling thread.
 *
 * <p>Steps depend on this interface and not on the graph's class, because the graph registers their
 * strategies. Threads: any.
 */
public interface StepReads {
  /**
   * All vertices with one of these labels (none: any) that pass a test. Records of vertices with
   * other labels are not decoded.
   *
   * @param read is told now and then how many vertices were read since it was last told, those with
   *     other labels among them
   */
  Iterator<Vertex> allVertices(List<String> labels, Predicate<Vertex> test, LongConsumer read);

  /**
   * The vertices with one of these labels (none: any) that pass a test, each once, found by
   * property indexes for a property with a value that is sought. The test has to ask for the
   * property. They come in the order of {@link #allVertices} where some texts are sought, or
   * numbers in an index that is not unique; else in that of the values.
   *
   * @param read is told now and then how many vertices were read since it was last told
   * @return null if no index answers this; then nothing has been read
   */
  Iterator<Vertex> indexedVertices(
      List<String> labels, String key, Sought sought, Predicate<Vertex> test, LongConsumer read);

  /**
   * How many entries {@link #indexedVertices} would read of indexes, about: without what this
   * transaction has changed.
   *
   * @param most where counting ends
   * @return -1 if no index answers
   */
  int countEntries(List<String> labels, String key, Sought sought, int most);

  /**
   * The names of the indexes by which {@link #indexedVertices} would look now; empty if there are
   * none.
   */
  List<String> indexes(List<String> labels, String key);

  /**
   * The edges with a label between two vertices, each given by its id or as a vertex, that pass a
   * test: a look-up, however many edges the vertices have.
   */
  CloseableIterator<Edge> edgesBetween(
      Object source, String label, Object target, Predicate<Edge> test);

  /**
   * Whether there is an edge with a label from a vertex of this graph to another: a look-up. Seen
   * from its target ({@link Direction#IN}) a loose edge is not there.
   */
  boolean hasEdge(Vertex source, String label, Vertex target, Direction seen);

  /**
   * The edges with a label out of a vertex, in the order of {@link Vertex#edges}: at least those
   * that are wanted.
   */
  Iterator<Edge> edges(Vertex vertex, String label, EdgeSelection wanted);

  /**
   * The number of elements of a class with this label, or with any (null). Scans nothing, except in
   * a store of an earlier version that is open to read only.
   */
  long count(Class<?> elementClass, String label);

  /** The number of elements of a class by label, without labels that none has; likewise. */
  Map<String, Long> countByLabel(Class<?> elementClass);

  /** An empty group of vertices, for the edges with these labels; none for all labels. */
  NeighbourLookup neighbours(Direction direction, String... labels);

  /** Whether a service of {@code call()} is known to change nothing; null names the directory. */
  boolean onlyReads(String service);
}
