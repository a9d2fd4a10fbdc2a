package io.bg3.core.graph;

import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.transaction.TransactionWork;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The property graph of a store: where transactions on it begin.
 *
 * <p>Threads: any.
 */
public final class GraphStore {
  private final TransactionManager transactions;
  private final Isolation isolation;
  private final ExternalIds externalIds = new ExternalIds();
  private final VertexIdAllocator vertexIds;
  private final EdgeLabels labels;
  private final VertexIndexes indexes;
  private boolean countsFirstLabels = true; // set before the graph is published

  /**
   * The graph that {@code transactions} keeps; its transactions validate as {@code isolation} says.
   */
  public GraphStore(TransactionManager transactions, Isolation isolation) {
    this.transactions = transactions;
    this.isolation = isolation;
    this.vertexIds = new VertexIdAllocator(transactions);
    this.labels = new EdgeLabels(transactions.dictionary());
    this.indexes = new VertexIndexes(transactions);
  }

  /**
   * Sees to it that vertices are counted by their first labels, also if an earlier version counted
   * them by all of their labels. Then it reads all vertices once and commits the totals; where the
   * store is open to read only, or a vertex cannot be read, each question counts instead. Called
   * once, when a store has been opened and before anybody else uses it.
   */
  public void settleTotals(boolean readOnly) {
    LabelTotals totals = new LabelTotals(transactions);
    if (totals.areOfFirstLabels()) {
      return;
    }
    countsFirstLabels = !readOnly && totals.tryCountAnew();
  }

  /**
   * Reads which property indexes there are. Called once, when a store has been opened and before
   * anybody else uses it.
   */
  public void loadIndexes() {
    indexes.load();
  }

  /**
   * Goes on with the work on indexes that were not finished when the store was closed; not for a
   * store that is open to read only.
   */
  public void startIndexWork() {
    indexes.start();
  }

  /** Ends the work on indexes, before the store is closed; the next opening goes on with it. */
  public void endIndexWork() {
    indexes.close();
  }

  /** The property indexes, for transactions. */
  VertexIndexes vertexIndexes() {
    return indexes;
  }

  /**
   * Registers an index on a property of vertices, so that {@link GraphTransaction#lookUp} finds
   * vertices by its values. When this returns, every commit writes entries of the index. Those of
   * older vertices are added beside the writers, also after a crash; then queries use the index
   * ({@link #indexes} says when). Registering the same again does nothing. Not to be called inside
   * of a transaction's work.
   *
   * @param label the vertices that it holds, by their first label; null for all
   * @return the index as it is now
   * @throws IllegalArgumentException if the label or the key is empty or longer than 1,024 bytes in
   *     UTF-8, or if there is a unique index on this
   * @throws io.bg3.core.limit.LimitExceededException if there are too many indexes
   * @throws io.bg3.core.commit.StoreFailedException if the store is open to read only, or has
   *     stopped writing
   */
  public IndexStatus createIndex(String label, String key) {
    return indexes.create(label, key, false);
  }

  /**
   * Registers a unique index, as {@link #createIndex} registers one that is not: no two of its
   * vertices have a value of the property in common. Numbers of all classes are one value if they
   * are the same number. When it has the entries of all vertices, commits that give a value to a
   * second vertex are refused with a {@link DuplicateValueException}, and it is looked whether
   * there are such vertices from before. If there are, the index stays in {@link
   * IndexState#BUILDING} with a problem that names two, and refuses nothing; registering it again
   * looks once more.
   *
   * @throws IllegalArgumentException as for {@link #createIndex}, and if there is an index on this
   *     that is not unique
   */
  public IndexStatus createUniqueIndex(String label, String key) {
    return indexes.create(label, key, true);
  }

  /**
   * Drops an index: no query uses it from now on, and its entries are removed beside the writers,
   * also after a crash. A transaction that has read from an index and then writes conflicts. Not to
   * be called inside of a transaction's work.
   *
   * @param label that of the index; null for an index on all vertices
   * @return false if there is no such index
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #createIndex}
   */
  public boolean dropIndex(String label, String key) {
    return indexes.drop(label, key);
  }

  /**
   * Looks whether an index that is ready has the entries of all its vertices and no others, and
   * each value once if it is unique.
   *
   * @param label that of the index; null for an index on all vertices
   * @param progress is told how many things have been looked at so far
   * @return what is wrong, one sentence each; empty if all is well
   * @throws IllegalArgumentException if there is no such index, or it is not ready
   */
  public List<String> checkIndex(String label, String key, LongConsumer progress) {
    VertexIndex index = indexes.require(label, key);
    if (index.state() != IndexState.READY) {
      throw new IllegalArgumentException("the index is not ready: " + indexes.describe(index));
    }
    return new GraphCheck(this, progress).run(index).stream().map(GraphProblem::toString).toList();
  }

  /**
   * Builds an index anew, beside the writers, and removes the entries that it has. Queries do not
   * use it until it is ready again, and a unique one refuses nothing until then. A crash leaves the
   * old index or the one that is being built. Not to be called inside of a transaction's work.
   *
   * @param label that of the index; null for an index on all vertices
   * @return the index as it is now
   * @throws IllegalArgumentException if there is no such index
   * @throws io.bg3.core.limit.LimitExceededException if there are too many indexes
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #createIndex}
   */
  public IndexStatus rebuildIndex(String label, String key) {
    return indexes.rebuild(label, key);
  }

  /** The property indexes, those that are being dropped among them. */
  public List<IndexStatus> indexes() {
    return indexes.list();
  }

  /**
   * The indexes that a look-up uses which begins now, as {@code label.key} with {@code *} for all
   * labels; empty if there are none.
   *
   * @param labels of which the first label of a vertex is one; none for all
   */
  public List<String> indexesFor(String key, List<String> labels) {
    int keyCode = findPropertyKey(key);
    int[] codes = vertexLabelCodes(labels);
    if (keyCode == 0 || (codes.length == 0 && !labels.isEmpty())) {
      return List.of();
    }
    List<VertexIndex> covering = indexes.current().covering(keyCode, Long.MAX_VALUE, codes);
    return covering == null ? List.of() : covering.stream().map(indexes::describe).toList();
  }

  /** The codes of those of some vertex labels that have one. */
  int[] vertexLabelCodes(List<String> labels) {
    return labels.stream().mapToInt(this::findVertexLabel).filter(code -> code != 0).toArray();
  }

  /** Begins a transaction that only counts what there is now. */
  Transaction beginCounting() {
    return transactions.begin(Isolation.SNAPSHOT, true);
  }

  /** Whether the totals of vertices by label are those of first labels. */
  boolean countsFirstLabels() {
    return countsFirstLabels;
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
    return transactions.retry(isolation, transaction -> run(transaction, work));
  }

  /**
   * Does {@code work} while nobody else can change what belongs to a vertex, and commits it; see
   * {@link #update(long[], Function)}.
   *
   * @param owner internal id of the vertex
   */
  public <T> T update(long owner, Function<GraphTransaction, T> work) {
    return update(new long[] {owner}, work);
  }

  /**
   * Does {@code work} while nobody else can change what belongs to some vertices, and commits it.
   * It reads what was applied last and never conflicts, so a vertex that many want to change is
   * changed by one after the other; see {@link TransactionManager#update}.
   *
   * <p>A vertex belongs to itself, an edge to both its ends (to its source alone where its label is
   * loose). Neither ids that users gave, of edges or as text, nor scans over everything, counts of
   * everything or variables belong to a vertex.
   *
   * @param owners internal ids of the vertices, one or more; they need not exist
   * @throws IllegalArgumentException if {@code work} touches what belongs to none of them
   */
  public <T> T update(long[] owners, Function<GraphTransaction, T> work) {
    return transactions.update(owners, transaction -> run(transaction, work));
  }

  /** Something that answers small questions from the newest snapshots, to one thread. */
  public GraphReader reader() {
    return new GraphReader(transactions.newestReader());
  }

  /** Updates of one thread that are waited for together. */
  public GraphUpdates updates() {
    return new GraphUpdates(this, transactions.updates());
  }

  <T> T run(Transaction transaction, Function<GraphTransaction, T> work) {
    GraphTransaction graph = new GraphTransaction(this, transaction);
    T result = work.apply(graph);
    graph.flush();
    return result;
  }

  /**
   * Declares what is special about the edges with a label, before the first of them is written and
   * for good. When it returns, it has happened as a commit has; declaring the same again does
   * nothing. Not to be called inside of a transaction's work.
   *
   * @throws IllegalArgumentException if the label is declared otherwise, or has been used without;
   *     or if it or the sort key is empty or longer than 1,024 bytes in UTF-8
   */
  public EdgeLabel declareEdgeLabel(String label, EdgeLabelForm form) {
    return labels.declare(label, form);
  }

  /** The declared label with this name; null if there is none, or it is in use without. */
  public EdgeLabel declaredEdgeLabel(String label) {
    return labels.find(label);
  }

  /** The declared label with this code; null if it is in use without. */
  public EdgeLabel declaredEdgeLabel(int code) {
    return labels.of(code);
  }

  /** The edge labels that were declared, in the order of their codes. */
  public List<EdgeLabel> declaredEdgeLabels() {
    return List.of(labels.declared());
  }

  /**
   * Writes links, all or none, as {@link Links#put} does one after the other, in an {@link #update}
   * of the vertices that they belong to.
   *
   * @throws MissingElementException as {@link Links#put}
   */
  public void putLinks(LinkBatch batch) {
    if (batch.count() == 0) {
      return;
    }
    update(
        batch.owners(),
        graph -> {
          graph.links().putAll(batch);
          return null;
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

  /**
   * The code of a property key, made if there is none: for a caller that reads and writes many
   * properties. Not to be called inside of a transaction's work.
   *
   * @throws IllegalArgumentException if the key is empty or longer than 1,024 bytes in UTF-8
   */
  public int makePropertyKey(String key) {
    return dictionary().code(Dictionary.Kind.PROPERTY_KEY, key);
  }

  /** The code of a property key, 0 if there is none. */
  public int findPropertyKey(String key) {
    return dictionary().find(Dictionary.Kind.PROPERTY_KEY, key);
  }

  /** The code of a vertex label, 0 if there is none. */
  public int findVertexLabel(String label) {
    return dictionary().find(Dictionary.Kind.VERTEX_LABEL, label);
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

  /** The declared edge labels. */
  EdgeLabels labels() {
    return labels;
  }

  ExternalIds externalIds() {
    return externalIds;
  }

  VertexIdAllocator vertexIds() {
    return vertexIds;
  }
}
