package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntToLongFunction;

/**
 * The vertices of one transaction. Records that the transaction changes are kept decoded and
 * written back when it commits, so that setting a hundred properties encodes a record once.
 *
 * <ul>
 *   <li>G1: a vertex that the transaction added or changed is in {@code written}, and has an entry,
 *       perhaps an older one, among the transaction's writes; a vertex that it removed has neither.
 *       The entry is older only where the vertex is in {@code dirty}.
 *   <li>G2: a vertex with an internal id in the reserved range has an entry in EXTERNAL_IDS and one
 *       in EXTERNAL_OF, and no other has.
 *   <li>G3: a vertex that the transaction has changed or removed since {@link #indexed} is in
 *       {@code unindexed}, and one that it has removed and not added again is in {@code removed}.
 * </ul>
 */
final class Vertices {
  /** Encoded values above this many bytes stand in the PROPERTIES tree. */
  static final int LARGE_VALUE = 1024;

  private final VertexIdAllocator ids;
  private final ExternalIds externalIds;
  private final Transaction transaction;
  private final Map<Long, VertexRecord> written = new HashMap<>();
  private final Set<Long> dirty = new HashSet<>();
  private final Set<Long> unindexed = new HashSet<>();
  private Map<Long, Integer> removed = Map.of(); // first labels; as a rule there is none

  Vertices(VertexIdAllocator ids, ExternalIds externalIds, Transaction transaction) {
    this.ids = ids;
    this.externalIds = externalIds;
    this.transaction = transaction;
  }

  /** The internal id that a canonical id has, null if it has none; the vertex need not exist. */
  Long internal(Object canonical) {
    if (canonical instanceof Long number) {
      return VertexId.isReserved(number) ? null : number;
    }
    return ExternalIds.find(transaction, canonical);
  }

  boolean exists(long vertex) {
    return (!written.isEmpty() && written.containsKey(vertex))
        || transaction.exists(TreeIds.VERTICES, GraphKeys.vertex(vertex));
  }

  void require(long vertex) {
    if (!exists(vertex)) {
      throw new MissingElementException("vertex", vertex);
    }
  }

  /** The record as this transaction left it, null if it has not changed the vertex. */
  VertexRecord written(long vertex) {
    return written.isEmpty() ? null : written.get(vertex);
  }

  /** The first label of a vertex that this transaction has removed; 0 if it has not. */
  int removedLabel(long vertex) {
    return removed.getOrDefault(vertex, 0);
  }

  VertexRecord record(long vertex) {
    VertexRecord changed = written(vertex);
    if (changed != null) {
      return changed;
    }
    byte[] bytes = transaction.get(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    return bytes == null ? null : VertexRecord.read(bytes);
  }

  /**
   * The record of a vertex that may have been read before.
   *
   * @param seen a record of it that this transaction has read, perhaps before it changed the
   *     vertex; null if it has read none
   */
  VertexRecord recordOrSeen(long vertex, VertexRecord seen) {
    if (seen == null || written(vertex) != null) {
      return record(vertex);
    }
    return removed.containsKey(vertex) ? null : seen; // G1, G3
  }

  /**
   * The records of many vertices, looked up in step.
   *
   * @param into gets them by their indexes, null for a vertex that does not exist
   */
  void records(int count, IntToLongFunction id, VertexRecord[] into) {
    byte[][] keys = new byte[count][];
    byte[][] found = new byte[count][];
    int[] places = written.isEmpty() ? null : new int[count];
    int asked = 0;
    for (int i = 0; i < count; i++) {
      long vertex = id.applyAsLong(i);
      into[i] = written(vertex);
      if (into[i] == null) {
        if (places != null) {
          places[asked] = i;
        }
        keys[asked++] = GraphKeys.vertex(vertex);
      }
    }
    transaction.getAll(TreeIds.VERTICES, keys, asked, found);
    for (int i = 0; i < asked; i++) {
      into[places == null ? i : places[i]] = found[i] == null ? null : VertexRecord.read(found[i]);
    }
  }

  /** Adds a vertex with these label codes; a null id is allocated. */
  long add(Object id, int... labels) {
    Object canonical = id == null ? null : VertexId.canonical(id);
    long vertex;
    if (canonical == null) {
      vertex = ids.allocate(candidate -> exists(candidate));
    } else if (canonical instanceof Long number) {
      vertex = number;
      requireFree(vertex);
    } else {
      if (ExternalIds.find(transaction, canonical) != null) {
        throw new DuplicateIdException("vertex", canonical);
      }
      vertex = ids.allocateReserved();
      externalIds.put(transaction, canonical, vertex);
    }
    VertexRecord record = new VertexRecord(labels);
    write(vertex, record);
    count(record, 1);
    return vertex;
  }

  /** Adds a vertex whose id is a number, with its properties. */
  void addNumbered(long vertex, PropertyBytes properties, int... labels) {
    requireFree(vertex);
    VertexRecord record = new VertexRecord(labels);
    record.requireRoom(properties.count(), 0);
    addAll(vertex, record, properties);
    write(vertex, record);
    count(record, 1);
  }

  /** Puts properties in the place of all that a vertex has. */
  void replace(long vertex, VertexRecord old, PropertyBytes properties) {
    VertexRecord record = old.withoutProperties();
    record.requireRoom(properties.count(), 0);
    for (PropertyRecord property : old.properties()) {
      deleteLarge(vertex, property);
    }
    addAll(vertex, record, properties);
    write(vertex, record);
  }

  private void requireFree(long vertex) {
    if (VertexId.isReserved(vertex)) {
      throw new IllegalArgumentException(
          "the id is reserved: id=" + vertex + ", smallest allowed=" + VertexId.RESERVED_END);
    }
    if (exists(vertex)) {
      throw new DuplicateIdException("vertex", vertex);
    }
  }

  private void addAll(long vertex, VertexRecord record, PropertyBytes properties) {
    byte[] cells = properties.cells();
    List<PropertyRecord> added = new ArrayList<>(properties.count());
    for (int i = 0; i < properties.count(); i++) {
      int number = record.takeNumber();
      int key = properties.key(i);
      int at = properties.valueStart(i);
      int length = properties.valueLength(i);
      PropertyCell cell =
          length <= LARGE_VALUE
              ? new PropertyCell(key, cells, at, length)
              : cell(vertex, number, key, 0, Arrays.copyOfRange(cells, at, at + length));
      added.add(new PropertyRecord(number, null, cell));
    }
    record.addAll(added);
  }

  /** Writes a record that is complete: unlike one that is still changed, once. */
  private void write(long vertex, VertexRecord record) {
    transaction.put(TreeIds.VERTICES, GraphKeys.vertex(vertex), record.encode());
    written.put(vertex, record);
    dirty.remove(vertex);
    unindexed.add(vertex);
    if (!removed.isEmpty()) {
      removed.remove(vertex);
    }
  }

  /** Removes record, ids, totals and large values; the edges are the caller's business. */
  void remove(long vertex, VertexRecord record) {
    for (PropertyRecord property : record.properties()) {
      deleteLarge(vertex, property);
    }
    if (VertexId.isReserved(vertex)) {
      externalIds.remove(transaction, vertex);
    }
    transaction.delete(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    written.remove(vertex);
    dirty.remove(vertex);
    unindexed.add(vertex);
    if (removed.isEmpty()) {
      removed = new HashMap<>();
    }
    removed.put(vertex, record.label(0));
    count(record, -1);
  }

  boolean addLabel(long vertex, int label) {
    VertexRecord record = change(vertex);
    if (record.hasLabel(label)) {
      return false;
    }
    Limit.VERTEX_LABELS.check(record.labelCount() + 1L);
    record.addLabel(label);
    return true;
  }

  /**
   * Sets a property and returns its number: with SET and an equal value, that of the one there,
   * which then keeps its id.
   */
  int setProperty(long vertex, Cardinality cardinality, int key, Object value, Object id) {
    if (id != null && !PropertyId.allows(id)) {
      throw new IllegalArgumentException("not an id for a vertex property: id=" + id);
    }
    byte[] encoded = ValueCodec.encode(value);
    VertexRecord record = change(vertex);
    PropertyRecord same = id == null ? null : record.propertyWithId(VertexId.canonical(id));
    if (same != null && (cardinality == Cardinality.LIST || same.key() != key)) {
      throw new DuplicateIdException("vertex property", id);
    }
    if (cardinality == Cardinality.SET) {
      PropertyRecord equal =
          record.withValue(key, value, each -> value(vertex, each.number(), 0, each));
      if (equal != null) {
        return equal.number();
      }
      if (same != null) {
        throw new DuplicateIdException("vertex property", id);
      }
    }
    List<PropertyRecord> replaced =
        cardinality == Cardinality.SINGLE ? record.withKey(key) : List.of();
    record.requireRoom(1, replaced.size());
    for (PropertyRecord property : replaced) {
      deleteLarge(vertex, property);
      record.remove(property);
    }
    int number = record.takeNumber();
    record.add(new PropertyRecord(number, id, cell(vertex, number, key, 0, encoded)));
    return number;
  }

  boolean removeProperty(long vertex, int number) {
    VertexRecord record = record(vertex);
    if (record == null || record.property(number) == null) {
      return false;
    }
    record = change(vertex);
    PropertyRecord property = record.property(number);
    deleteLarge(vertex, property);
    record.remove(property);
    return true;
  }

  void setMeta(long vertex, int number, int key, Object value) {
    byte[] encoded = ValueCodec.encode(value);
    PropertyRecord property = change(vertex).property(number);
    if (property == null) {
      throw new MissingElementException("vertex property", new PropertyId(vertex, number));
    }
    PropertyCell old = property.meta(key);
    if (old == null) {
      property.requireRoom();
    } else if (old.isLarge()) {
      transaction.delete(TreeIds.PROPERTIES, GraphKeys.property(vertex, number, key));
    }
    property.setMeta(cell(vertex, number, key, key, encoded));
  }

  boolean removeMeta(long vertex, int number, int key) {
    VertexRecord record = record(vertex);
    PropertyRecord property = record == null ? null : record.property(number);
    if (property == null || property.meta(key) == null) {
      return false;
    }
    property = change(vertex).property(number);
    if (property.meta(key).isLarge()) {
      transaction.delete(TreeIds.PROPERTIES, GraphKeys.property(vertex, number, key));
    }
    property.removeMeta(key);
    return true;
  }

  /** The value of a property ({@code metaKey} 0) or of one of its meta-properties. */
  Object value(long vertex, int number, int metaKey, PropertyCell cell) {
    return cell.isLarge() ? largeValue(vertex, number, metaKey) : cell.value();
  }

  /** A value that stands in an entry of its own, of a property or a meta-property. */
  Object largeValue(long vertex, int number, int metaKey) {
    byte[] bytes = transaction.get(TreeIds.PROPERTIES, GraphKeys.property(vertex, number, metaKey));
    if (bytes == null) {
      throw new MissingElementException("vertex property", new PropertyId(vertex, number));
    }
    return ValueCodec.decode(bytes);
  }

  /** How many records {@link #flush} would write. */
  int unflushed() {
    return dirty.size();
  }

  /**
   * Writes the records to the transaction that have changed since the last call (G1); called before
   * it commits.
   *
   * @return how many there were
   */
  int flush() {
    int flushed = dirty.size();
    for (long vertex : dirty) {
      transaction.put(TreeIds.VERTICES, GraphKeys.vertex(vertex), written.get(vertex).encode());
    }
    dirty.clear();
    return flushed;
  }

  /** Shows the vertices that the transaction has added or changed, as it has left them. */
  void eachWritten(BiConsumer<Long, VertexRecord> to) {
    written.forEach(to);
  }

  /** The vertices that were changed since the last call of {@link #indexed}. */
  Collection<Long> unindexed() {
    return Collections.unmodifiableSet(unindexed);
  }

  /** Says that all changed vertices have their index entries. */
  void indexed() {
    if (!unindexed.isEmpty()) {
      unindexed.clear();
    }
  }

  /** All vertices that the transaction has added, changed or removed; a copy. */
  Collection<Long> changed() {
    Set<Long> changed = new HashSet<>(written.keySet());
    changed.addAll(removed.keySet());
    return changed;
  }

  private VertexRecord change(long vertex) {
    VertexRecord record = record(vertex);
    if (record == null) {
      throw new MissingElementException("vertex", vertex);
    }
    if (written.put(vertex, record) == null) {
      transaction.put(TreeIds.VERTICES, GraphKeys.vertex(vertex), record.encode());
    }
    dirty.add(vertex);
    unindexed.add(vertex);
    return record;
  }

  private PropertyCell cell(long vertex, int number, int key, int metaKey, byte[] encoded) {
    if (encoded.length <= LARGE_VALUE) {
      return new PropertyCell(key, encoded, 0, encoded.length);
    }
    transaction.put(TreeIds.PROPERTIES, GraphKeys.property(vertex, number, metaKey), encoded);
    return new PropertyCell(key, null, 0, encoded.length);
  }

  private void deleteLarge(long vertex, PropertyRecord property) {
    if (property.isLarge()) {
      transaction.delete(TreeIds.PROPERTIES, GraphKeys.property(vertex, property.number(), 0));
    }
    for (PropertyCell meta : property.metas()) {
      if (meta.isLarge()) {
        transaction.delete(
            TreeIds.PROPERTIES, GraphKeys.property(vertex, property.number(), meta.key()));
      }
    }
  }

  private void count(VertexRecord record, int delta) {
    transaction.addTotal(EdgeTags.ALL_VERTICES, delta);
    transaction.addTotal(EdgeTags.verticesWith(record.label(0)), delta);
  }
}
