package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.IndexKey;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.SchemaVersion;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The property indexes of a store, and how they come and go.
 *
 * <pre>
 *   absent    --- registered, under the gate ---------------------->  building
 *   building  --- the entries of all older vertices are committed -->  ready, from that stamp on;
 *                                                                      verifying if it is unique
 *   verifying --- each value has one vertex ------------------------>  ready, from that stamp on
 *   verifying --- one has two, or it was closed -------------------->  building
 *   any of these  --- dropped, under the gate ---------------->  dropping
 *   any of these  --- rebuilt, under the gate ---------------->  dropping, and another one building
 *   dropping  --- the last entry is removed ----------------------->  absent; the number is not
 *                                                                     used again
 * </pre>
 *
 * <p>While an index is building or ready, every commit that changes a vertex writes its entries
 * ({@link IndexEntries}). A commit whose entries were made before an index came or went makes them
 * again: it compares {@link SchemaVersion} under its locks, and registering and dropping exclude
 * all commits (R27).
 *
 * <p>Threads: any. One thread at a time changes the catalogue; all read it from {@link #current},
 * which waits for no other thread.
 */
final class GraphIndexes implements AutoCloseable {
  private final TransactionManager transactions;
  private final EdgeLabels labels;
  private final IndexWorker worker;
  private volatile IndexCatalogue catalogue = new IndexCatalogue(0, 0, List.of(), List.of());
  private int next = 1;

  GraphIndexes(TransactionManager transactions, EdgeLabels labels) {
    this.transactions = transactions;
    this.labels = labels;
    this.worker = new IndexWorker(this, transactions);
  }

  /**
   * Reads the definitions, when a store has been opened and before it has other transactions.
   *
   * @throws CorruptionException if one is not readable
   */
  synchronized void load() {
    List<GraphIndex> maintained = new ArrayList<>();
    List<GraphIndex> dropped = new ArrayList<>();
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true);
        ByteCursor cursor = definitions(snapshot)) {
      while (cursor.next()) {
        if (cursor.key().length == GraphIndex.DEFINITIONS.length) {
          next = (int) Varints.get(ByteBuffer.wrap(cursor.value()));
        } else {
          GraphIndex index = GraphIndex.decode(cursor.key(), cursor.value());
          (index.state() == IndexState.DROPPING ? dropped : maintained).add(index);
        }
      }
    }
    publish(maintained, dropped);
  }

  private static ByteCursor definitions(Transaction snapshot) {
    byte[] low = GraphIndex.DEFINITIONS;
    byte[] high = low.clone();
    high[high.length - 1]++;
    return snapshot.scan(TreeIds.META, low, high, ScanOrder.FORWARD);
  }

  /** The numbers of the indexes that have a definition, as a transaction sees them. */
  static Set<Integer> numbers(Transaction snapshot) {
    Set<Integer> numbers = new HashSet<>();
    try (ByteCursor cursor = definitions(snapshot)) {
      while (cursor.next()) {
        if (cursor.key().length > GraphIndex.DEFINITIONS.length) {
          numbers.add(GraphIndex.decode(cursor.key(), cursor.value()).number());
        }
      }
    }
    return numbers;
  }

  /** Goes on with what was building or dropping when the store was closed. */
  synchronized void start() {
    worker.start();
  }

  /** Ends the work on indexes; an opening goes on with it. */
  @Override
  public void close() {
    worker.close();
  }

  /** The indexes whose entries commits write now. */
  IndexCatalogue current() {
    return catalogue;
  }

  /**
   * Registers an index, unless there is one of this.
   *
   * @throws IllegalArgumentException if there is one, and it is unique and this is not or the other
   *     way round
   */
  synchronized IndexStatus create(IndexedKeys of, boolean unique) {
    if (of.label() != null) {
      Dictionary.requireName(of.label());
    }
    of.keys().forEach(Dictionary::requireName);
    int label = of.label() == null ? 0 : dictionary().code(of.kind().labels(), of.label());
    List<Integer> keys =
        of.keys().stream()
            .map(key -> dictionary().code(Dictionary.Kind.PROPERTY_KEY, key))
            .toList();
    GraphIndex index = find(catalogue.maintained(), of.kind(), label, keys);
    if (index != null && index.unique() != unique) {
      throw new IllegalArgumentException(
          "these keys have another index; drop it first: index=%s, unique=%b, wanted=%b"
              .formatted(describe(index), index.unique(), unique));
    }
    goOn(index);
    if (index == null) {
      Limit.INDEXES.check(catalogue.maintained().size() + catalogue.dropping().size() + 1L);
      index = new GraphIndex(next, of.kind(), label, keys, unique, true, IndexState.BUILDING, 0);
      List<GraphIndex> maintained = new ArrayList<>(catalogue.maintained());
      maintained.add(index);
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.META, GraphIndex.DEFINITIONS, varint(next + 1));
      writes.add(TreeIds.META, index.definitionKey(), index.encode());
      // An earlier release does not replay this: it would add vertices without entries.
      writes.add(TreeIds.INDEX_ENTRIES, IndexKey.untold(0).low(), new byte[0]);
      transactions.commitExclusively(
          writes,
          () -> {
            next++;
            transactions.schema().registered();
            publish(maintained, catalogue.dropping());
          });
      worker.start();
    }
    return status(index);
  }

  /**
   * Drops an index; its entries are removed from then on.
   *
   * @return false if there is none
   */
  synchronized boolean drop(IndexedKeys of) {
    GraphIndex index = find(catalogue.maintained(), of);
    if (index == null) {
      goOn(find(catalogue.dropping(), of));
      return false;
    }
    GraphIndex dropped = index.with(IndexState.DROPPING, 0);
    List<GraphIndex> maintained = new ArrayList<>(catalogue.maintained());
    maintained.remove(index);
    List<GraphIndex> dropping = new ArrayList<>(catalogue.dropping());
    dropping.add(dropped);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, index.definitionKey(), dropped.encode());
    transactions.commitExclusively(
        writes,
        () -> {
          transactions.schema().dropped();
          publish(maintained, dropping);
        });
    worker.forget(index);
    worker.start();
    return true;
  }

  /**
   * Registers an index anew and drops the one that is there, in one commit. The values of the new
   * one are ordered.
   *
   * @throws IllegalArgumentException if there is none
   */
  synchronized IndexStatus rebuild(IndexedKeys of) {
    GraphIndex old = require(of);
    Limit.INDEXES.check(catalogue.maintained().size() + catalogue.dropping().size() + 1L);
    GraphIndex dropped = old.with(IndexState.DROPPING, 0);
    GraphIndex anew =
        new GraphIndex(
            next, old.kind(), old.label(), old.keys(), old.unique(), true, IndexState.BUILDING, 0);
    List<GraphIndex> maintained = replaced(old, anew);
    List<GraphIndex> dropping = new ArrayList<>(catalogue.dropping());
    dropping.add(dropped);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, GraphIndex.DEFINITIONS, varint(next + 1));
    writes.add(TreeIds.META, dropped.definitionKey(), dropped.encode());
    writes.add(TreeIds.META, anew.definitionKey(), anew.encode());
    transactions.commitExclusively(
        writes,
        () -> {
          next++;
          transactions.schema().dropped(); // counts as a change, too
          publish(maintained, dropping);
        });
    worker.forget(old);
    worker.start();
    return status(anew);
  }

  /**
   * The index that commits write the entries of.
   *
   * @throws IllegalArgumentException if there is none
   */
  GraphIndex require(IndexedKeys of) {
    GraphIndex index = find(catalogue.maintained(), of);
    if (index == null) {
      throw new IllegalArgumentException("there is no such index: index=" + of);
    }
    return index;
  }

  /**
   * All indexes, in the order in which they were registered. Does not wait for one that comes or
   * goes.
   */
  List<IndexStatus> list() {
    IndexCatalogue now = catalogue;
    List<GraphIndex> all = new ArrayList<>(now.maintained());
    all.addAll(now.dropping());
    all.sort((a, b) -> Integer.compare(a.number(), b.number()));
    return all.stream().map(this::status).toList();
  }

  /** An index that has to be built or whose entries have to go, and can be; null if none has. */
  synchronized GraphIndex unfinished() {
    for (GraphIndex index : catalogue.dropping()) {
      if (worker.problem(index) == null) {
        return index;
      }
    }
    for (GraphIndex index : catalogue.maintained()) {
      if (index.state() == IndexState.BUILDING && worker.problem(index) == null) {
        return index;
      }
    }
    return null;
  }

  /** Whether an index is still in the state in which it was taken up. */
  synchronized boolean isUnfinished(GraphIndex index) {
    return catalogue.maintained().contains(index) || catalogue.dropping().contains(index);
  }

  /** Whether an index is still to be built: nobody has dropped it. */
  boolean isMaintained(GraphIndex index) {
    return catalogue.maintained().contains(index);
  }

  /**
   * Has commits keep a unique index that has the entries of all vertices unique from now on.
   *
   * @return the index as it is then; null if it was dropped
   */
  synchronized GraphIndex enforce(GraphIndex built) {
    if (!isMaintained(built)) {
      return null;
    }
    GraphIndex verifying = built.with(IndexState.VERIFYING, 0);
    List<GraphIndex> maintained = replaced(built, verifying);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, built.definitionKey(), verifying.encode());
    try {
      transactions.commitExclusively(
          writes,
          () -> {
            transactions.schema().enforced();
            publish(maintained, catalogue.dropping());
          });
    } catch (RuntimeException | Error e) {
      release(verifying); // it would be verified for ever, and have no problem
      throw e;
    }
    return verifying;
  }

  /** Has commits no longer keep an index unique that could not be verified. */
  synchronized void release(GraphIndex verifying) {
    if (isMaintained(verifying)) {
      publish(replaced(verifying, verifying.with(IndexState.BUILDING, 0)), catalogue.dropping());
    }
  }

  private List<GraphIndex> replaced(GraphIndex index, GraphIndex by) {
    List<GraphIndex> maintained = new ArrayList<>(catalogue.maintained());
    maintained.set(maintained.indexOf(index), by);
    return maintained;
  }

  /** Lets queries use an index that has the entries of all vertices, unless it was dropped. */
  synchronized void finish(GraphIndex built) {
    if (!isMaintained(built)) {
      return;
    }
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, built.definitionKey(), built.with(IndexState.READY, 0).encode());
    writes.add(TreeIds.META, built.progressKey(), null);
    long stamp = transactions.commitExclusively(writes, () -> {});
    publish(replaced(built, built.with(IndexState.READY, stamp)), catalogue.dropping());
  }

  /** Forgets an index whose entries are gone. */
  synchronized void forget(GraphIndex gone) {
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, gone.definitionKey(), null);
    writes.add(TreeIds.META, gone.progressKey(), null);
    transactions.commitExclusively(writes, () -> {});
    List<GraphIndex> left = new ArrayList<>(catalogue.dropping());
    left.removeIf(index -> index.number() == gone.number());
    publish(catalogue.maintained(), left);
  }

  /** An index for people. */
  String describe(GraphIndex index) {
    return keys(index).toString();
  }

  private IndexedKeys keys(GraphIndex index) {
    String label =
        index.label() == 0 ? null : dictionary().text(index.kind().labels(), index.label());
    return new IndexedKeys(
        index.kind(),
        label,
        index.keys().stream()
            .map(key -> dictionary().text(Dictionary.Kind.PROPERTY_KEY, key))
            .toList());
  }

  /** Takes up an index again on which work has stopped with a problem. */
  private void goOn(GraphIndex index) {
    if (index != null && worker.problem(index) != null) {
      worker.forget(index);
      worker.start();
    }
  }

  private GraphIndex find(List<GraphIndex> indexes, IndexedKeys of) {
    int label = of.label() == null ? 0 : dictionary().find(of.kind().labels(), of.label());
    List<Integer> keys =
        of.keys().stream()
            .map(key -> dictionary().find(Dictionary.Kind.PROPERTY_KEY, key))
            .toList();
    return of.label() == null || label != 0 ? find(indexes, of.kind(), label, keys) : null;
  }

  private static GraphIndex find(
      List<GraphIndex> indexes, ElementKind kind, int label, List<Integer> keys) {
    for (GraphIndex index : indexes) {
      if (index.isOf(kind, label, keys)) {
        return index;
      }
    }
    return null;
  }

  private IndexStatus status(GraphIndex index) {
    return new IndexStatus(
        keys(index),
        index.unique(),
        index.ordered(),
        index.state(),
        worker.done(index),
        worker.problem(index));
  }

  private void publish(List<GraphIndex> maintained, List<GraphIndex> dropping) {
    SchemaVersion schema = transactions.schema();
    catalogue =
        new IndexCatalogue(
            schema.changes(), schema.drops(), List.copyOf(maintained), List.copyOf(dropping));
  }

  /** The edges that a transaction sees, to be read. */
  Edges edges(Transaction transaction) {
    return new Edges(transaction, null, labels);
  }

  private Dictionary dictionary() {
    return transactions.dictionary();
  }

  private static byte[] varint(long value) {
    ByteBuffer to = ByteBuffer.allocate(Varints.MAX_BYTES);
    Varints.put(to, value);
    return Arrays.copyOf(to.array(), to.position());
  }
}
