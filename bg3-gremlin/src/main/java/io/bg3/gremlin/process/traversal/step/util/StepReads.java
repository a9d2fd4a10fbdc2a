package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.graph.Condition;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The reads of a graph that BG3's steps and strategies use beside those of TinkerPop's {@code
 * Graph}, and the removal of many edges and vertices. All happen in the transaction of the calling
 * thread.
 *
 * <p>Steps depend on this interface and not on the graph's class, because the graph registers their
 * strategies. Threads: any.
 */
public interface StepReads {
  /**
   * The vertices that {@code Graph.vertices} gives for some ids, for a caller that reads the label
   * or a property of each: their records are read together, and count as read.
   *
   * @param vertexIds at least one
   */
  Iterator<Vertex> verticesToRead(Object... vertexIds);

  /**
   * Says that the vertices at some ends of edges are about to be read, so that those which are not
   * in memory are loaded together. Is no read.
   *
   * @param edge the edges by their indexes; what is no edge of this graph is passed over
   */
  void announceEnds(Direction direction, int count, IntFunction<Object> edge);

  /**
   * Says later whether the transaction of now has changed nothing since.
   *
   * @return throws IllegalStateException once that transaction has ended
   */
  BooleanSupplier unchanged();

  /** Whether an edge still exists; true for what is no edge of this graph. */
  boolean isThere(Object edge);

  /**
   * All vertices with one of these labels (none: any) that pass a test. Records of vertices with
   * other labels are not decoded.
   *
   * @param read is told now and then how many vertices were read since it was last told, those with
   *     other labels among them
   */
  Iterator<Vertex> allVertices(List<String> labels, Predicate<Vertex> test, LongConsumer read);

  /**
   * The elements that an iterator gives, all of which are found before this returns. Each reads its
   * record when it is asked for something, so that not all are in memory at once.
   *
   * @param most elements that are wanted
   */
  <E extends Element> Iterator<E> collected(Iterator<E> elements, long most);

  /**
   * The vertices with one of these labels (none: any) that pass a test, each once, found by
   * property indexes for some conditions, of several ways by that with the fewest entries. The test
   * has to ask for all conditions. They come in the order of {@link #allVertices} where some texts
   * are sought of all keys of an index, or numbers in an index that is not unique; else in that of
   * the values.
   *
   * @param read is told now and then how many vertices were read since it was last told
   * @param used is told the names of the indexes that are read
   * @return null if no index answers this; then nothing has been read
   */
  Iterator<Vertex> indexedVertices(
      List<String> labels,
      List<Condition> conditions,
      Predicate<Vertex> test,
      LongConsumer read,
      Consumer<List<String>> used);

  /**
   * The edges with one of these labels (none: any) that pass a test, each once, found by property
   * indexes as {@link #indexedVertices} finds vertices, in the order of the index.
   *
   * @return null if no index answers this; then nothing has been read
   */
  Iterator<Edge> indexedEdges(
      List<String> labels,
      List<Condition> conditions,
      Predicate<Edge> test,
      LongConsumer read,
      Consumer<List<String>> used);

  /**
   * The names of the indexes of which {@link #indexedVertices} or {@link #indexedEdges} would use
   * one or some now; empty if there are none.
   */
  List<String> indexes(Class<?> elementClass, List<String> labels, List<Condition> conditions);

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
   * Reads the edges with some labels (none: any) out of vertices, into them, or both: at least
   * those that are wanted. They come in the order of {@link Vertex#edges}, or in that of an index.
   *
   * @param used is told the names of the indexes whenever an index finds edges of a vertex
   */
  EdgeReads edges(
      Direction direction, EdgeSelection wanted, Consumer<List<String>> used, String... labels);

  /**
   * The number of elements of a class with this label, or with any (null). Scans nothing, except in
   * a store of an earlier version that is open to read only.
   */
  long count(Class<?> elementClass, String label);

  /** The number of elements of a class by label, without labels that none has; likewise. */
  Map<String, Long> countByLabel(Class<?> elementClass);

  /**
   * An empty group of vertices, for the edges with these labels; none for all labels.
   *
   * @param use what is asked of the group; nothing else may be
   */
  NeighbourLookup neighbours(Direction direction, NeighbourLookup.Use use, String... labels);

  /**
   * An empty group of vertices, for the edges with these labels, that gives and counts only those
   * neighbours which meet some conditions. Their labels or properties are read as they are given.
   *
   * @param conditions on labels and properties, of which each answers the same whenever it is asked
   */
  NeighbourLookup neighbours(List<HasContainer> conditions, Direction direction, String... labels);

  /**
   * A counter of the paths of some hops: of all of them, and of the first ones up to each hop that
   * {@link Hop#isCounted}.
   *
   * @param hops at least one
   * @param countsEdges whether the last hop ends at its edges
   * @param countsStarts whether the vertices that are added count too
   * @param different whether the vertices at the ends of the paths count once each; not with {@code
   *     countsEdges}
   */
  PathLookup paths(List<Hop> hops, boolean countsEdges, boolean countsStarts, boolean different);

  /**
   * Removes the edges that {@link Vertex#edges} gives, as {@link Edge#remove} does one by one. An
   * exception on the way leaves some of them removed.
   */
  void removeEdges(Vertex vertex, Direction direction, String... labels);

  /**
   * Removes vertices, as {@link Vertex#remove} does one after the other; what they need is read
   * together. An exception on the way leaves some of them removed.
   *
   * @param vertices about a hundred at most
   */
  void removeVertices(List<Vertex> vertices);

  /** Whether a service of {@code call()} is known to change nothing; null names the directory. */
  boolean onlyReads(String service);
}
