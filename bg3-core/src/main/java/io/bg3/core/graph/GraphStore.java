package io.bg3.core.graph;

import io.bg3.core.sort.EntrySorter;
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
  private final GraphDefinitions definitions;
  private boolean countsFirstLabels = true; // set before the graph is published

  /**
   * The graph that {@code transactions} keeps; its transactions validate as {@code isolation} says.
   */
  public GraphStore(TransactionManager transactions, Isolation isolation) {
    this.transactions = transactions;
    this.isolation = isolation;
    this.vertexIds = new VertexIdAllocator(transactions);
    this.definitions = new GraphDefinitions(transactions, this::beginReadOnly);
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
   * Refuses a store with a part of a graph (R37). Called once, when a store has been opened and
   * before anybody else uses it.
   *
   * @param store its name, for the message
   * @throws HalfLoadedException if a {@link GraphLoad} has begun and not ended
   */
  public void requireWhole(String store) throws HalfLoadedException {
    if (GraphLoad.isMarked(transactions)) {
      throw new HalfLoadedException(store);
    }
  }

  /**
   * Begins to fill a store that has no vertices and no edges; see {@code Bg3.load}.
   *
   * @param sorter is closed with the load
   * @throws IllegalStateException if a label is becoming ordered or counted
   */
  public GraphLoad load(EntrySorter sorter) {
    return GraphLoad.begin(this, transactions, sorter);
  }

  /**
   * Reads which property indexes, schemas and counters there are. Called once, when a store has
   * been opened and before anybody else uses it.
   */
  public void loadDefinitions() {
    definitions.load();
  }

  /**
   * Goes on with the work on indexes, schemas, counters and orders that were not finished when the
   * store was closed; not for a store that is open to read only.
   */
  public void startDefinitionWork() {
    definitions.startWork();
  }

  /**
   * Ends the work on indexes, schemas, counters and orders, before the store is closed; the next
   * opening goes on with it.
   */
  public void endDefinitionWork() {
    definitions.endWork();
  }

  /** The schemas, for transactions. */
  GraphSchema schema() {
    return definitions.schema();
  }

  /**
   * Defines rules for the elements with a label. When this returns, commits that would leave an
   * element that breaks one are refused with a {@link SchemaViolationException}. Elements from
   * before are looked at beside the writers, also after a crash; when all meet the rules, the
   * schema is enforced. If some do not, it has {@link SchemaState#FAILED} with a problem that names
   * the first, and nothing is refused any more; defining it again looks once more. Not to be called
   * inside of a transaction's work.
   *
   * @return the schema as it is now
   * @throws IllegalArgumentException if the label has another schema, if this one allows
   *     everything, if it allows some ends and the label is loose, or if the label or a key is
   *     empty or longer than 1,024 bytes in UTF-8
   * @throws io.bg3.core.limit.LimitExceededException if there are too many schemas
   * @throws io.bg3.core.commit.StoreFailedException if the store is open to read only, or has
   *     stopped writing
   */
  public SchemaStatus defineSchema(LabelSchema of) {
    return definitions.defineSchema(of);
  }

  /**
   * Drops the schema of a label; from then on nothing is refused. Not to be called inside of a
   * transaction's work.
   *
   * @return false if there is none
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #defineSchema}
   */
  public boolean dropSchema(ElementKind kind, String label) {
    return schema().drop(kind, label);
  }

  /** The schemas, in the order in which they were defined since the store was opened. */
  public List<SchemaStatus> schemas() {
    return schema().list();
  }

  /** The property indexes, for transactions. */
  GraphIndexes graphIndexes() {
    return definitions.indexes();
  }

  /**
   * Registers an index on properties, so that {@link GraphTransaction#lookUp} finds elements by
   * their values. When this returns, every commit writes entries of the index. Those of older
   * elements are added beside the writers, also after a crash; then queries use the index ({@link
   * #indexes} says when). Registering the same again does nothing. Not to be called inside of a
   * transaction's work.
   *
   * <p>Of the elements of a unique index no two have a value in common, or a combination of values
   * of all of its keys. Numbers of all classes are one value if they are the same number. When it
   * has the entries of all elements, commits that give a value to a second element are refused with
   * a {@link DuplicateValueException}, and it is looked whether there are such elements from
   * before. If there are, the index stays in {@link IndexState#BUILDING} with a problem that names
   * two, and refuses nothing; registering it again looks once more.
   *
   * @return the index as it is now
   * @throws IllegalArgumentException if the label or a key is empty or longer than 1,024 bytes in
   *     UTF-8, or if there is an index on this that is unique and this is not, or the other way
   *     round; or if edges that it is of may expire
   * @throws io.bg3.core.limit.LimitExceededException if there are too many indexes
   * @throws io.bg3.core.commit.StoreFailedException if the store is open to read only, or has
   *     stopped writing
   */
  public IndexStatus createIndex(IndexedKeys of, boolean unique) {
    return definitions.createIndex(of, unique);
  }

  /**
   * Registers an index of vertices that is not unique; see {@link #createIndex(IndexedKeys,
   * boolean)}.
   *
   * @param label the first label of the vertices; null for all
   */
  public IndexStatus createIndex(String label, String... keys) {
    return createIndex(IndexedKeys.ofVertices(label, keys), false);
  }

  /** Registers a unique index of vertices; see {@link #createIndex(IndexedKeys, boolean)}. */
  public IndexStatus createUniqueIndex(String label, String... keys) {
    return createIndex(IndexedKeys.ofVertices(label, keys), true);
  }

  /**
   * Drops an index: no query uses it from now on, and its entries are removed beside the writers,
   * also after a crash. A transaction that has read from an index and then writes conflicts. Not to
   * be called inside of a transaction's work.
   *
   * @return false if there is no such index
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #createIndex}
   */
  public boolean dropIndex(IndexedKeys of) {
    return graphIndexes().drop(of);
  }

  /** Drops an index of vertices; see {@link #dropIndex(IndexedKeys)}. */
  public boolean dropIndex(String label, String... keys) {
    return dropIndex(IndexedKeys.ofVertices(label, keys));
  }

  /**
   * Looks whether an index that is ready has the entries of all its elements and no others, and
   * each value once if it is unique.
   *
   * @param progress is told how many things have been looked at so far
   * @return what is wrong, one sentence each; empty if all is well
   * @throws IllegalArgumentException if there is no such index, or it is not ready
   */
  public List<String> checkIndex(IndexedKeys of, LongConsumer progress) {
    GraphIndex index = graphIndexes().require(of);
    if (index.state() != IndexState.READY) {
      throw new IllegalArgumentException(
          "the index is not ready: " + graphIndexes().describe(index));
    }
    return new GraphCheck(this, progress).run(index).stream().map(GraphProblem::toString).toList();
  }

  /**
   * Builds an index anew, beside the writers, and removes the entries that it has. Queries do not
   * use it until it is ready again, and a unique one refuses nothing until then. A crash leaves the
   * old index or the one that is being built. Not to be called inside of a transaction's work.
   *
   * @return the index as it is now
   * @throws IllegalArgumentException if there is no such index
   * @throws io.bg3.core.limit.LimitExceededException if there are too many indexes
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #createIndex}
   */
  public IndexStatus rebuildIndex(IndexedKeys of) {
    return graphIndexes().rebuild(of);
  }

  /** The property indexes, those that are being dropped among them. */
  public List<IndexStatus> indexes() {
    return graphIndexes().list();
  }

  /**
   * The indexes of which a look-up that begins now uses one or some, as {@code label.key} with
   * {@code *} for all labels; empty if there are none.
   *
   * @param labels of which the label of an element is one, of a vertex the first; none for all
   */
  public List<String> indexesFor(
      ElementKind kind, List<Condition> conditions, List<String> labels) {
    int[] codes =
        labels.stream()
            .mapToInt(label -> dictionary().find(kind.labels(), label))
            .filter(code -> code != 0)
            .toArray();
    if (codes.length == 0 && !labels.isEmpty()) {
      return List.of();
    }
    return IndexPlan.of(
            kind, graphIndexes().current(), withCodes(conditions), Long.MAX_VALUE, codes)
        .stream()
        .flatMap(plan -> plan.indexes().stream())
        .map(graphIndexes()::describe)
        .distinct()
        .toList();
  }

  /** The names of the indexes of a plan. */
  List<String> names(IndexPlan plan) {
    return plan.indexes().stream().map(graphIndexes()::describe).toList();
  }

  /** Conditions by the codes of their keys, those left out whose keys have none. */
  List<IndexPlan.On> withCodes(List<Condition> conditions) {
    return conditions.stream()
        .map(each -> new IndexPlan.On(findPropertyKey(each.key()), each.sought()))
        .filter(each -> each.key() != 0)
        .toList();
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
    return new GraphReader(this, transactions.newestReader());
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
   * <p>A label that has edges, declared or not, can become counted: then every commit counts from
   * now on, and the edges from before are counted beside the writers, also after a crash. Until
   * {@link #counters} says that the counters are ready, queries scan. Declaring the same again goes
   * on where that has stopped with a problem.
   *
   * <p>A label that has edges, and no order, can become ordered too: then every commit requires the
   * sort key of the edges that it writes, a long, from now on, and throws a {@link
   * SchemaViolationException} for one that lacks it. Beside the writers, also after a crash, it is
   * looked whether each edge has the sort key, and if so the order is built. Until {@link #order}
   * says that it is ready, {@link GraphTransaction#sortedEdges} refuses. If an edge lacks the sort
   * key, the label is not ordered, with a problem that names the edge; declaring it again looks
   * once more. Links of such a label cannot be hidden.
   *
   * @throws IllegalArgumentException if the label is declared otherwise, or has been used without,
   *     and would not only become counted or ordered; or if it or the sort key is empty or longer
   *     than 1,024 bytes in UTF-8; or if it has a time to live and there is an index of the edges
   *     of all labels; or if there is no such family, or it has another time to live
   * @throws IllegalStateException if the label has edges and a load fills the store
   */
  public EdgeLabel declareEdgeLabel(String label, EdgeLabelForm wanted) {
    return definitions.declareEdgeLabel(label, wanted);
  }

  /**
   * Defines a family, which edge labels may be declared with from then on; it is never removed, and
   * keeps its time to live for good. When this returns, it has happened as a commit has. Defining
   * the same again does nothing. Not to be called inside of a transaction's work.
   *
   * @return the family as it is now
   * @throws IllegalArgumentException if there is one with the name and other settings, or if the
   *     name is empty or longer than 1,024 bytes in UTF-8
   * @throws io.bg3.core.limit.LimitExceededException if there are too many families
   * @throws io.bg3.core.commit.StoreFailedException if the store is open to read only, or has
   *     stopped writing
   */
  public EdgeFamily defineFamily(EdgeFamily family) {
    return definitions.defineFamily(family);
  }

  /**
   * Changes the page capacity, consolidation and compression of a family. They hold for pages that
   * are written from then on; a page is as it is until then. Not to be called inside of a
   * transaction's work.
   *
   * @return the family as it is now
   * @throws IllegalArgumentException if there is no family with the name, or it has another time to
   *     live
   * @throws io.bg3.core.commit.StoreFailedException as for {@link #defineFamily}
   */
  public EdgeFamily changeFamily(EdgeFamily family) {
    return definitions.changeFamily(family);
  }

  /** The families of edge labels, in the order in which they were defined. */
  public List<EdgeFamily> families() {
    return definitions.families();
  }

  /** The declared label with this name; null if there is none, or it is in use without. */
  public EdgeLabel declaredEdgeLabel(String label) {
    return labels().find(label);
  }

  /** The declared label with this code; null if it is in use without. */
  public EdgeLabel declaredEdgeLabel(int code) {
    return labels().of(code);
  }

  /** How far the counters of a declared label are; null if it is not counted. */
  public CounterStatus counters(EdgeLabel label) {
    return definitions.counters(label);
  }

  /** How far the order of a declared label is; null if it has none. */
  public OrderStatus order(EdgeLabel label) {
    return definitions.order(label);
  }

  /** The edge labels that were declared, in the order of their codes. */
  public List<EdgeLabel> declaredEdgeLabels() {
    return List.of(labels().declared());
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
    for (int number = 1; number <= count; number++) {
      texts.add(dictionary.text(kind, dictionary.ofNumber(kind, number)));
    }
    return texts;
  }

  Dictionary dictionary() {
    return transactions.dictionary();
  }

  /** The declared edge labels. */
  EdgeLabels labels() {
    return definitions.labels();
  }

  ExternalIds externalIds() {
    return externalIds;
  }

  VertexIdAllocator vertexIds() {
    return vertexIds;
  }
}
