package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * The stored record of a vertex: its labels and properties, without its edges.
 *
 * <pre>
 *   u8      version      1
 *   varint  labels       how many; then that many label codes (varint), in the order they were given
 *   varint  next         the number that the next property of this vertex will get
 *   varint  properties   how many; then for each, in the order they were set:
 *     varint  key        code of the property key
 *     varint  number     1 &lt;= number &lt; next
 *     u8      flags      1 = the value stands in the PROPERTIES tree, 2 = has meta-properties,
 *                        4 = the user gave an id
 *     varint  length     bytes of the encoded value
 *     ...     value      {@link ValueCodec}; absent with flag 1
 *     with flag 4: varint length, the id as an encoded value
 *     with flag 2: varint count, then for each: varint key, u8 flags (1), varint length, value
 * </pre>
 *
 * <p>A record is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>V1: its version is 1 and it ends with its last property,
 *   <li>V2: it has at least one label, and all codes are positive and no label stands twice,
 *   <li>V3: numbers are below next, and none stands twice,
 *   <li>V4: within one property no meta key stands twice,
 *   <li>V5: ids that the user gave to properties of the vertex are integers, UUIDs or strings, and
 *       no two of them are forms of one ({@link VertexId}).
 * </ul>
 *
 * <p>Belongs to one transaction, and only the transaction changes it, replacing the arrays and
 * lists that it changes: what a reader goes through stays as it is. Where there are more than a few
 * properties, changes go to an index, and the list that readers see is made when one asks for it.
 *
 * <pre>
 *   properties  many  means
 *   list        null  the list is all there is
 *   list        set   both say the same
 *   null        set   changed since a reader asked
 *   null        null  nobody has asked for more than the properties with a few keys: the others
 *                     have not been taken apart
 * </pre>
 *
 * <p>Threads: any may read; this record's monitor guards these fields.
 */
public final class VertexRecord {
  static final int VERSION = 1;
  static final int LARGE = 1;
  static final int META = 2;
  static final int USER_ID = 4;

  private static final String WHAT = "vertex record";

  /** Bytes of a property's numbers, and of the record's own. */
  private static final int ROOM = 16;

  /** So many properties are searched from the first to the last, and copied for a change. */
  private static final int FEW = 32;

  /** After so many searches in the encoded record the next one takes all of it apart. */
  private static final int MOST_SEARCHES = 2;

  private volatile int[] labels; // null while the vertex has only the first one
  private final int firstLabel;
  private int next;
  private volatile List<PropertyRecord> properties;
  private PropertyIndex many;

  /**
   * The record as it was read, and where its properties begin in it; null if it was not, or when
   * its properties have been taken apart.
   */
  private volatile byte[] encoded;

  /** How often it was gone through for the properties with a key. */
  private int searches;

  private final int start;

  /** A vertex with these label codes and without properties. */
  public VertexRecord(int... labels) {
    this(labels.clone(), 1);
  }

  private VertexRecord(int[] labels, int next) {
    assert labels.length > 0 : "V2: at least one label";
    this.labels = labels;
    this.firstLabel = labels[0];
    this.next = next;
    this.properties = List.of();
    this.encoded = null;
    this.start = 0;
  }

  private VertexRecord(RecordReader from, byte[] encoded) {
    int version = from.u8();
    if (version != VERSION) {
      throw from.corrupt(0, "V1: version " + VERSION, Integer.toString(version));
    }
    int count = labelCount(from);
    this.firstLabel = label(from);
    this.labels = count == 1 ? null : labels(firstLabel, count, from);
    this.next = from.number("next", 1, Integer.MAX_VALUE);
    this.encoded = encoded;
    this.start = from.position();
  }

  /** The number of labels of the vertex, at least one. */
  public int labelCount() {
    int[] all = labels;
    return all == null ? 1 : all.length;
  }

  /** The code of a label, {@code 0 <= index < labelCount()}; the first is the one that counts. */
  public int label(int index) {
    return index == 0 ? firstLabel : labels()[index];
  }

  private int[] labels() {
    int[] all = labels;
    return all == null ? new int[] {firstLabel} : all;
  }

  /** Whether this label is one of the vertex's. */
  public boolean hasLabel(int code) {
    int[] all = labels;
    if (all == null) {
      return code == firstLabel;
    }
    for (int label : all) {
      if (label == code) {
        return true;
      }
    }
    return false;
  }

  /**
   * Goes through the properties where they stand in the record that was read: for a caller that
   * wants some of them once. Null if they have been taken apart, as they are before they change, or
   * if there are many; then {@link #withKey} and {@link #properties} find them.
   */
  public PropertyCursor cursor() {
    byte[] read = encoded;
    PropertyCursor found = read == null ? null : new PropertyCursor(WHAT, read, start, next);
    return found == null || found.left() > FEW ? null : found;
  }

  /** The properties in the order they were set; what they were when this was called. */
  public List<PropertyRecord> properties() {
    List<PropertyRecord> now = properties;
    return now != null ? now : listed();
  }

  private synchronized List<PropertyRecord> listed() {
    if (properties == null) {
      properties = many != null ? many.inOrder() : decoded();
    }
    return properties;
  }

  private List<PropertyRecord> decoded() {
    RecordReader from = new RecordReader(WHAT, encoded, start, encoded.length - start);
    int count = from.length("properties", PropertyRecord.MIN_BYTES);
    List<PropertyRecord> found = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      found.add(PropertyRecord.read(from, encoded, next));
    }
    from.end();
    encoded = null;
    return Collections.unmodifiableList(found);
  }

  /** The number of properties of the vertex. */
  public synchronized int propertyCount() {
    return many != null ? many.count() : listed().size();
  }

  /** The property with this number, null if there is none. */
  public synchronized PropertyRecord property(int number) {
    if (hasMany()) {
      return many.withNumber(number);
    }
    for (PropertyRecord property : listed()) {
      if (property.number() == number) {
        return property;
      }
    }
    return null;
  }

  /**
   * The properties with this key, in the order they were set. Of a record that was just read, no
   * others are taken apart, until it is asked for the third time.
   */
  public synchronized List<PropertyRecord> withKey(int key) {
    if (properties == null && many == null && searches < MOST_SEARCHES) {
      searches++;
      return decodedWithKey(key);
    }
    if (hasMany()) {
      return many.withKey(key);
    }
    List<PropertyRecord> found = List.of();
    for (PropertyRecord property : listed()) {
      found = property.key() == key ? with(found, property) : found;
    }
    return found;
  }

  private List<PropertyRecord> decodedWithKey(int key) {
    RecordReader from = new RecordReader(WHAT, encoded, start, encoded.length - start);
    int count = from.length("properties", PropertyRecord.MIN_BYTES);
    List<PropertyRecord> found = List.of();
    for (int i = 0; i < count; i++) {
      PropertyRecord property = PropertyRecord.readIf(key, from, encoded, next);
      found = property != null ? with(found, property) : found;
    }
    from.end();
    return found;
  }

  private static List<PropertyRecord> with(List<PropertyRecord> found, PropertyRecord property) {
    if (found.isEmpty()) {
      return List.of(property);
    }
    List<PropertyRecord> more = found.size() > 1 ? found : new ArrayList<>(found);
    more.add(property);
    return more;
  }

  /**
   * A property with this key and a value that is equal, null if there is none.
   *
   * @param read gives the value of a property
   */
  public synchronized PropertyRecord withValue(
      int key, Object value, Function<PropertyRecord, Object> read) {
    if (hasMany()) {
      return many.withValue(key, value, read);
    }
    for (PropertyRecord property : listed()) {
      if (property.key() == key && Objects.deepEquals(read.apply(property), value)) {
        return property;
      }
    }
    return null;
  }

  /** Whether there are so many that they are indexed; then they are from here on. */
  private boolean hasMany() {
    assert Thread.holdsLock(this);
    if (many == null && listed().size() > FEW) {
      many = new PropertyIndex(properties);
    }
    return many != null;
  }

  /**
   * The property to which the user gave this id, in one of its forms (V5); null if there is none.
   */
  public synchronized PropertyRecord propertyWithId(Object canonical) {
    if (hasMany()) {
      return many.withId(canonical);
    }
    for (PropertyRecord property : listed()) {
      if (property.userId() != null && canonical.equals(VertexId.sought(property.userId()))) {
        return property;
      }
    }
    return null;
  }

  /**
   * Throws LimitExceededException if there are no numbers for so many new properties, or no room.
   *
   * @param gone properties that are removed before
   */
  public void requireRoom(int more, int gone) {
    Limit.PROPERTY_NUMBER.check((long) next + more - 1);
    Limit.VERTEX_PROPERTIES.check((long) propertyCount() - gone + more);
  }

  /** A number for a new property (V3). */
  public synchronized int takeNumber() {
    Limit.PROPERTY_NUMBER.check(next);
    if (properties == null && many == null) {
      properties = decoded(); // their numbers are below next as it is now
    }
    return next++;
  }

  /** Adds a property. */
  public synchronized void add(PropertyRecord property) {
    assert property.number() < next : "V3: " + property.number();
    if (hasMany()) {
      many.add(property);
      properties = null;
      return;
    }
    List<PropertyRecord> changed = new ArrayList<>(properties.size() + 1);
    changed.addAll(properties);
    changed.add(property);
    properties = Collections.unmodifiableList(changed);
  }

  /** Adds several, of numbers that were taken. */
  public synchronized void addAll(List<PropertyRecord> more) {
    List<PropertyRecord> changed = new ArrayList<>(propertyCount() + more.size());
    changed.addAll(properties());
    changed.addAll(more);
    properties = Collections.unmodifiableList(changed);
    many = null;
  }

  /** One with the same labels and no properties, whose numbers go on where these end. */
  public VertexRecord withoutProperties() {
    return new VertexRecord(labels(), next);
  }

  /** Removes a property. */
  public synchronized void remove(PropertyRecord property) {
    if (hasMany()) {
      many.remove(property);
      properties = null;
      return;
    }
    List<PropertyRecord> changed = new ArrayList<>(properties);
    changed.remove(property);
    properties = Collections.unmodifiableList(changed);
  }

  /** Adds a label by its code, unless the vertex has it. */
  public void addLabel(int code) {
    assert !hasLabel(code) : "V2: " + code;
    int[] old = labels();
    int[] changed = Arrays.copyOf(old, old.length + 1);
    changed[old.length] = code;
    labels = changed;
  }

  /** The bytes that {@link #decode} reads. */
  public byte[] encode() {
    List<PropertyRecord> now = properties();
    RecordWriter to = new RecordWriter(roomNeeded(now), Limit.ENTRY_BYTES);
    int[] all = labels();
    to.u8(VERSION).varint(all.length);
    for (int label : all) {
      to.varint(label);
    }
    to.varint(next).varint(now.size());
    for (PropertyRecord property : now) {
      property.write(to);
    }
    return to.toBytes();
  }

  /** About the bytes of the encoded record, as a rule not less. */
  private static long roomNeeded(List<PropertyRecord> properties) {
    long bytes = 2 * ROOM;
    for (PropertyRecord property : properties) {
      bytes += ROOM + (property.isLarge() ? 0 : property.length());
    }
    return bytes;
  }

  /**
   * Takes a record apart.
   *
   * @throws CorruptionException if the bytes are not valid
   */
  public static VertexRecord decode(byte[] bytes) {
    VertexRecord record = read(bytes);
    record.properties();
    return record;
  }

  /**
   * The record of these bytes, of which properties are taken apart when they are asked for.
   *
   * @param bytes kept, not to be changed
   * @throws CorruptionException if the labels are not valid; methods that ask for properties throw
   *     it if these are not
   */
  public static VertexRecord read(byte[] bytes) {
    return new VertexRecord(new RecordReader(WHAT, bytes), bytes);
  }

  /** The code of the first label of an encoded record; nothing behind it is read. */
  public static int firstLabel(byte[] bytes) {
    RecordReader from = new RecordReader(WHAT, bytes);
    from.u8();
    labelCount(from);
    return label(from);
  }

  private static int[] labels(int first, int count, RecordReader from) {
    int[] labels = new int[count];
    labels[0] = first;
    for (int i = 1; i < count; i++) {
      labels[i] = label(from);
    }
    return labels;
  }

  private static int labelCount(RecordReader from) {
    int count = from.length("labels", 1);
    if (count == 0) {
      throw from.corrupt(from.position(), "V2: at least one label", "none");
    }
    return count;
  }

  private static int label(RecordReader from) {
    return from.number("label", 1, EdgeId.MAX_LABEL);
  }

  /** Throws CorruptionException unless V2 to V5 hold, which decoding does not look at. */
  public void check() {
    int[] all = labels();
    for (int i = 0; i < all.length; i++) {
      for (int j = 0; j < i; j++) {
        unique("V2: labels once", all[i], all[j]);
      }
    }
    List<PropertyRecord> sorted = new ArrayList<>(properties());
    sorted.sort((a, b) -> Integer.compare(a.number(), b.number()));
    for (int i = 1; i < sorted.size(); i++) {
      unique("V3: numbers once", sorted.get(i).number(), sorted.get(i - 1).number());
    }
    Set<Object> ids = new HashSet<>();
    for (PropertyRecord property : properties()) {
      Object id = property.userId();
      if (id != null && (VertexId.sought(id) == null || !ids.add(VertexId.sought(id)))) {
        throw new CorruptionException(WHAT, 0, "V5: ids once", id.toString());
      }
      List<PropertyCell> metas = property.metas();
      for (int i = 0; i < metas.size(); i++) {
        for (int j = 0; j < i; j++) {
          unique("V4: meta keys once", metas.get(i).key(), metas.get(j).key());
        }
      }
    }
  }

  private static void unique(String expected, int one, int other) {
    if (one == other) {
      throw new CorruptionException(WHAT, 0, expected, Integer.toString(one));
    }
  }
}
