package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.VertexRecord;
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
import java.util.Collection;
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
 * <p>Threads: any. What is here is changed by one at a time, and read by all from {@link #current},
 * which waits for nobody.
 */
final class VertexIndexes implements AutoCloseable {
  /**
   * The indexes at one moment.
   *
   * @param changes {@link SchemaVersion#changes} since they are these
   * @param drops {@link SchemaVersion#drops} since they are these
   * @param maintained commits write their entries
   * @param dropping only their entries are left
   */
  record Catalogue(
      long changes, long drops, List<VertexIndex> maintained, List<VertexIndex> dropping) {
    /** Whether an index may have entries of vertices with this first label. */
    boolean holds(int label) {
      for (VertexIndex index : maintained) {
        if (index.label() == 0 || index.label() == label) {
          return true;
        }
      }
      return false;
    }

    /** The unique index that an entry belongs to, if commits keep it unique; null if not. */
    VertexIndex enforced(byte[] entry) {
      int number = IndexKey.indexOf(entry);
      for (VertexIndex index : maintained) {
        if (index.number() == number) {
          return index.isEnforced() ? index : null;
        }
      }
      return null;
    }

    /** Whether commits keep an index unique. */
    boolean enforces() {
      for (VertexIndex index : maintained) {
        if (index.isEnforced()) {
          return true;
        }
      }
      return false;
    }

    /** Adds the keys of the entries that a vertex has in all indexes. */
    void addEntries(long vertex, VertexRecord record, Collection<byte[]> keys) {
      for (VertexIndex index : maintained) {
        index.addEntries(vertex, record, keys);
      }
    }

    /**
     * Indexes that together hold all vertices with one of these labels that have the key.
     *
     * @param labels codes; none for all vertices
     * @param snapshot finds all their entries
     * @return null if there are none
     */
    List<VertexIndex> covering(int key, long snapshot, int... labels) {
      List<VertexIndex> found = new ArrayList<>(1);
      for (int label : labels) {
        VertexIndex index = find(label, key, snapshot);
        if (index != null) {
          found.add(index);
        }
      }
      if (labels.length > 0 && found.size() == labels.length) {
        return found;
      }
      VertexIndex all = find(0, key, snapshot);
      return all == null ? null : List.of(all);
    }

    private VertexIndex find(int label, int key, long snapshot) {
      for (VertexIndex index : maintained) {
        if (index.key() == key
            && index.label() == label
            && index.state() == IndexState.READY
            && index.readySince() <= snapshot) {
          return index;
        }
      }
      return null;
    }
  }

  private final TransactionManager transactions;
  private final IndexWorker worker;
  private volatile Catalogue catalogue = new Catalogue(0, 0, List.of(), List.of());
  private int next = 1;

  VertexIndexes(TransactionManager transactions) {
    this.transactions = transactions;
    this.worker = new IndexWorker(this, transactions);
  }

  /**
   * Reads the definitions, when a store has been opened and before it has other transactions.
   *
   * @throws CorruptionException if one is not readable
   */
  synchronized void load() {
    List<VertexIndex> maintained = new ArrayList<>();
    List<VertexIndex> dropped = new ArrayList<>();
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true);
        ByteCursor cursor = definitions(snapshot)) {
      while (cursor.next()) {
        if (cursor.key().length == VertexIndex.DEFINITIONS.length) {
          next = (int) Varints.get(ByteBuffer.wrap(cursor.value()));
        } else {
          VertexIndex index = VertexIndex.decode(cursor.key(), cursor.value());
          (index.state() == IndexState.DROPPING ? dropped : maintained).add(index);
        }
      }
    }
    publish(maintained, dropped);
  }

  private static ByteCursor definitions(Transaction snapshot) {
    byte[] low = VertexIndex.DEFINITIONS;
    byte[] high = low.clone();
    high[high.length - 1]++;
    return snapshot.scan(TreeIds.META, low, high, ScanOrder.FORWARD);
  }

  /** The numbers of the indexes that have a definition, as a transaction sees them. */
  static Set<Integer> numbers(Transaction snapshot) {
    Set<Integer> numbers = new HashSet<>();
    try (ByteCursor cursor = definitions(snapshot)) {
      while (cursor.next()) {
        if (cursor.key().length > VertexIndex.DEFINITIONS.length) {
          numbers.add(VertexIndex.decode(cursor.key(), cursor.value()).number());
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
  Catalogue current() {
    return catalogue;
  }

  /**
   * Registers an index, unless there is one of the same label and key.
   *
   * @param label null for all vertices
   * @throws IllegalArgumentException if there is one, and it is unique and this is not or the other
   *     way round
   */
  synchronized IndexStatus create(String label, String key, boolean unique) {
    if (label != null) {
      Dictionary.requireName(label);
    }
    Dictionary.requireName(key);
    int labelCode = label == null ? 0 : dictionary().code(Dictionary.Kind.VERTEX_LABEL, label);
    int keyCode = dictionary().code(Dictionary.Kind.PROPERTY_KEY, key);
    VertexIndex index = find(catalogue.maintained, labelCode, keyCode);
    if (index != null && index.unique() != unique) {
      throw new IllegalArgumentException(
          "there is another index on this, drop it first: index=%s, unique=%b, wanted=%b"
              .formatted(describe(index), index.unique(), unique));
    }
    goOn(index);
    if (index == null) {
      Limit.INDEXES.check(catalogue.maintained.size() + catalogue.dropping.size() + 1L);
      index = new VertexIndex(next, labelCode, keyCode, unique, IndexState.BUILDING, 0);
      List<VertexIndex> maintained = new ArrayList<>(catalogue.maintained);
      maintained.add(index);
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.META, VertexIndex.DEFINITIONS, varint(next + 1));
      writes.add(TreeIds.META, index.definitionKey(), index.encode());
      // An earlier release does not replay this: it would add vertices without entries.
      writes.add(TreeIds.INDEX_ENTRIES, IndexKey.untold(0).low(), new byte[0]);
      transactions.commitExclusively(
          writes,
          () -> {
            next++;
            transactions.schema().registered();
            publish(maintained, catalogue.dropping);
          });
      worker.start();
    }
    return status(index);
  }

  /**
   * Drops an index; its entries are removed from then on.
   *
   * @param label null for that of all vertices
   * @return false if there is none
   */
  synchronized boolean drop(String label, String key) {
    VertexIndex index = find(catalogue.maintained, label, key);
    if (index == null) {
      goOn(find(catalogue.dropping, label, key));
      return false;
    }
    VertexIndex dropped = index.with(IndexState.DROPPING, 0);
    List<VertexIndex> maintained = new ArrayList<>(catalogue.maintained);
    maintained.remove(index);
    List<VertexIndex> dropping = new ArrayList<>(catalogue.dropping);
    dropping.add(dropped);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, index.definitionKey(), dropped.encode());
    transactions.commitExclusively(
        writes,
        () -> {
          transactions.schema().dropped();
          publish(maintained, dropping);
        });
    worker.forget(index.number());
    worker.start();
    return true;
  }

  /**
   * Registers an index anew and drops the one that is there, in one commit.
   *
   * @throws IllegalArgumentException if there is none
   */
  synchronized IndexStatus rebuild(String label, String key) {
    VertexIndex old = require(label, key);
    Limit.INDEXES.check(catalogue.maintained.size() + catalogue.dropping.size() + 1L);
    VertexIndex dropped = old.with(IndexState.DROPPING, 0);
    VertexIndex anew =
        new VertexIndex(next, old.label(), old.key(), old.unique(), IndexState.BUILDING, 0);
    List<VertexIndex> maintained = replaced(old, anew);
    List<VertexIndex> dropping = new ArrayList<>(catalogue.dropping);
    dropping.add(dropped);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, VertexIndex.DEFINITIONS, varint(next + 1));
    writes.add(TreeIds.META, dropped.definitionKey(), dropped.encode());
    writes.add(TreeIds.META, anew.definitionKey(), anew.encode());
    transactions.commitExclusively(
        writes,
        () -> {
          next++;
          transactions.schema().dropped(); // counts as a change, too
          publish(maintained, dropping);
        });
    worker.forget(old.number());
    worker.start();
    return status(anew);
  }

  /**
   * The index that commits write the entries of.
   *
   * @throws IllegalArgumentException if there is none
   */
  VertexIndex require(String label, String key) {
    VertexIndex index = find(catalogue.maintained, label, key);
    if (index == null) {
      throw new IllegalArgumentException(
          "there is no such index: label=" + (label == null ? "*" : label) + ", key=" + key);
    }
    return index;
  }

  /**
   * All indexes, in the order in which they were registered. Does not wait for one that comes or
   * goes.
   */
  List<IndexStatus> list() {
    Catalogue now = catalogue;
    List<VertexIndex> all = new ArrayList<>(now.maintained);
    all.addAll(now.dropping);
    all.sort((a, b) -> Integer.compare(a.number(), b.number()));
    return all.stream().map(this::status).toList();
  }

  /** An index that has to be built or whose entries have to go, and can be; null if none has. */
  synchronized VertexIndex unfinished() {
    for (VertexIndex index : catalogue.dropping) {
      if (worker.problem(index.number()) == null) {
        return index;
      }
    }
    for (VertexIndex index : catalogue.maintained) {
      if (index.state() == IndexState.BUILDING && worker.problem(index.number()) == null) {
        return index;
      }
    }
    return null;
  }

  /** Whether an index is still in the state in which it was taken up. */
  synchronized boolean isUnfinished(VertexIndex index) {
    return catalogue.maintained.contains(index) || catalogue.dropping.contains(index);
  }

  /** Whether an index is still to be built: nobody has dropped it. */
  boolean isMaintained(VertexIndex index) {
    return catalogue.maintained.contains(index);
  }

  /**
   * Has commits keep a unique index that has the entries of all vertices unique from now on.
   *
   * @return the index as it is then; null if it was dropped
   */
  synchronized VertexIndex enforce(VertexIndex built) {
    if (!isMaintained(built)) {
      return null;
    }
    VertexIndex verifying = built.with(IndexState.VERIFYING, 0);
    List<VertexIndex> maintained = replaced(built, verifying);
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, built.definitionKey(), verifying.encode());
    try {
      transactions.commitExclusively(
          writes,
          () -> {
            transactions.schema().enforced();
            publish(maintained, catalogue.dropping);
          });
    } catch (RuntimeException | Error e) {
      release(verifying); // it would be verified for ever, and have no problem
      throw e;
    }
    return verifying;
  }

  /** Has commits no longer keep an index unique that could not be verified. */
  synchronized void release(VertexIndex verifying) {
    if (isMaintained(verifying)) {
      publish(replaced(verifying, verifying.with(IndexState.BUILDING, 0)), catalogue.dropping);
    }
  }

  private List<VertexIndex> replaced(VertexIndex index, VertexIndex by) {
    List<VertexIndex> maintained = new ArrayList<>(catalogue.maintained);
    maintained.set(maintained.indexOf(index), by);
    return maintained;
  }

  /** Lets queries use an index that has the entries of all vertices, unless it was dropped. */
  synchronized void finish(VertexIndex built) {
    if (!isMaintained(built)) {
      return;
    }
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, built.definitionKey(), built.with(IndexState.READY, 0).encode());
    writes.add(TreeIds.META, built.progressKey(), null);
    long stamp = transactions.commitExclusively(writes, () -> {});
    publish(replaced(built, built.with(IndexState.READY, stamp)), catalogue.dropping);
  }

  /** Forgets an index whose entries are gone. */
  synchronized void forget(VertexIndex gone) {
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, gone.definitionKey(), null);
    writes.add(TreeIds.META, gone.progressKey(), null);
    transactions.commitExclusively(writes, () -> {});
    List<VertexIndex> left = new ArrayList<>(catalogue.dropping);
    left.removeIf(index -> index.number() == gone.number());
    publish(catalogue.maintained, left);
  }

  /** An index for people. */
  String describe(VertexIndex index) {
    String label =
        index.label() == 0 ? "*" : dictionary().text(Dictionary.Kind.VERTEX_LABEL, index.label());
    return label + "." + dictionary().text(Dictionary.Kind.PROPERTY_KEY, index.key());
  }

  /** Takes up an index again on which work has stopped with a problem. */
  private void goOn(VertexIndex index) {
    if (index != null && worker.problem(index.number()) != null) {
      worker.forget(index.number());
      worker.start();
    }
  }

  private VertexIndex find(List<VertexIndex> indexes, String label, String key) {
    int labelCode = label == null ? 0 : dictionary().find(Dictionary.Kind.VERTEX_LABEL, label);
    int keyCode = dictionary().find(Dictionary.Kind.PROPERTY_KEY, key);
    boolean known = (label == null || labelCode != 0) && keyCode != 0;
    return known ? find(indexes, labelCode, keyCode) : null;
  }

  private static VertexIndex find(List<VertexIndex> indexes, int label, int key) {
    for (VertexIndex index : indexes) {
      if (index.label() == label && index.key() == key) {
        return index;
      }
    }
    return null;
  }

  private IndexStatus status(VertexIndex index) {
    String label =
        index.label() == 0 ? null : dictionary().text(Dictionary.Kind.VERTEX_LABEL, index.label());
    return new IndexStatus(
        label,
        dictionary().text(Dictionary.Kind.PROPERTY_KEY, index.key()),
        index.unique(),
        index.state(),
        worker.done(index.number()),
        worker.problem(index.number()));
  }

  private void publish(List<VertexIndex> maintained, List<VertexIndex> dropping) {
    SchemaVersion schema = transactions.schema();
    catalogue =
        new Catalogue(
            schema.changes(), schema.drops(), List.copyOf(maintained), List.copyOf(dropping));
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
