package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexForm;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.IndexValue;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * A property index of vertices or edges: what it holds, and how its definition is stored.
 *
 * <pre>
 *   META   "index/", number (4, big-endian)     to the definition:
 *            u8      version   4
 *            u8      state     1 building, also while it is verified; 2 ready, 3 dropping
 *            u8      form      1 = unique, 2 = of edges
 *            varint  label     code of the label of its elements, of vertices the first one, 0 for all
 *            varint  count     of property keys
 *            varint  keys      codes of the property keys
 *   META   "index/"                             to the number of the next index (varint)
 *   META   "built/", number (4, big-endian)     while it is built, to the key of the vertex or of
 *                                               the out-entry at which building goes on
 * </pre>
 *
 * <p>Version 1 has neither form nor count: its indexes are not unique. Version 2 has one key, of
 * vertices. Version 3 has all fields; the values of its indexes are not ordered, as those of
 * earlier versions.
 *
 * <p>A vertex has an entry for each combination of a value of each key, if it has a value of the
 * first; a key without values counts as one absent value. A vertex with more than {@value
 * #MOST_COMBINATIONS} combinations has one entry that tells none of them from others.
 *
 * @param number never used for another index
 * @param label code, 0 for all elements
 * @param keys codes
 * @param unique whether no two of its elements may have a value, or a combination, in common
 * @param ordered whether its values are ({@link IndexForm}); no if an earlier release has made it
 * @param readySince the snapshots from this stamp on find all entries
 */
record GraphIndex(
    int number,
    ElementKind kind,
    int label,
    List<Integer> keys,
    boolean unique,
    boolean ordered,
    IndexState state,
    long readySince) {
  static final byte[] DEFINITIONS = "index/".getBytes(StandardCharsets.US_ASCII);
  static final byte[] PROGRESS = "built/".getBytes(StandardCharsets.US_ASCII);
  private static final int PLAIN_VERSION = 1;
  private static final int ONE_KEY_VERSION = 2;
  private static final int UNORDERED_VERSION = 3;
  private static final int VERSION = 4;
  private static final int UNIQUE = 1;
  private static final int EDGES = 2;
  private static final int MOST_COMBINATIONS = 64;

  byte[] definitionKey() {
    return key(DEFINITIONS, number);
  }

  byte[] progressKey() {
    return key(PROGRESS, number);
  }

  private static byte[] key(byte[] prefix, int number) {
    return ByteBuffer.allocate(prefix.length + Integer.BYTES).put(prefix).putInt(number).array();
  }

  GraphIndex with(IndexState next, long since) {
    return new GraphIndex(number, kind, label, keys, unique, ordered, next, since);
  }

  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(3 + (2 + keys.size()) * Varints.MAX_BYTES);
    to.put((byte) version());
    to.put((byte) code(state)).put((byte) ((unique ? UNIQUE : 0) | (isOfEdges() ? EDGES : 0)));
    Varints.put(to, label);
    Varints.put(to, keys.size());
    keys.forEach(key -> Varints.put(to, key));
    return Arrays.copyOf(to.array(), to.position());
  }

  private int version() {
    if (ordered) {
      return VERSION;
    }
    return isComposite() || isOfEdges() ? UNORDERED_VERSION : ONE_KEY_VERSION;
  }

  /** Reads what {@link #encode} wrote under {@link #definitionKey}. */
  static GraphIndex decode(byte[] key, byte[] bytes) {
    try {
      int number = ByteBuffer.wrap(key).getInt(DEFINITIONS.length);
      ByteBuffer from = ByteBuffer.wrap(bytes);
      int version = from.get();
      IndexState state = state(from.get());
      int form = version == PLAIN_VERSION ? 0 : from.get();
      int label = (int) Varints.get(from);
      long count = version == PLAIN_VERSION ? 1 : Varints.get(from);
      boolean isKnown = version >= PLAIN_VERSION && version <= VERSION && isForm(version, form);
      if (isKnown && state != null && label >= 0 && isCount(version, count)) {
        List<Integer> keys = new ArrayList<>((int) count);
        for (int i = 0; i < count; i++) {
          keys.add((int) Varints.get(from));
        }
        if (keys.stream().allMatch(each -> each > 0)) {
          ElementKind kind = (form & EDGES) != 0 ? ElementKind.EDGE : ElementKind.VERTEX;
          boolean unique = (form & UNIQUE) != 0;
          boolean ordered = version == VERSION;
          return new GraphIndex(number, kind, label, List.copyOf(keys), unique, ordered, state, 0);
        }
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      // reported below
    }
    throw new CorruptionException(
        "META tree",
        0,
        "a definition of an index of a version up to " + VERSION,
        Arrays.toString(bytes));
  }

  private static boolean isForm(int version, int form) {
    return form >= 0 && form <= (version > ONE_KEY_VERSION ? UNIQUE | EDGES : UNIQUE);
  }

  private static boolean isCount(int version, long count) {
    return version > ONE_KEY_VERSION ? count >= 1 && count <= Byte.MAX_VALUE : count == 1;
  }

  /** Stands on disk, so it does not follow the order of the constants. */
  private static int code(IndexState state) {
    return switch (state) {
      case BUILDING, VERIFYING -> 1; // an opening verifies anew
      case READY -> 2;
      case DROPPING -> 3;
    };
  }

  private static IndexState state(int code) {
    for (IndexState state : IndexState.values()) {
      if (code(state) == code) {
        return state;
      }
    }
    return null;
  }

  /** Whether it has several keys, so that an entry has a combination of values. */
  private boolean isComposite() {
    return keys.size() > 1;
  }

  boolean isOfEdges() {
    return kind == ElementKind.EDGE;
  }

  /** Whether elements with this label have entries. */
  boolean holds(ElementKind elements, int withLabel) {
    return kind == elements && (label == 0 || label == withLabel);
  }

  /** Whether it is the index of this. */
  boolean isOf(ElementKind elements, int withLabel, List<Integer> ofKeys) {
    return kind == elements && label == withLabel && keys.equals(ofKeys);
  }

  /** The length of the element in the key of an entry. */
  int elementBytes() {
    return isOfEdges() ? GraphKeys.EDGE_BYTES : Long.BYTES;
  }

  private IndexForm form() {
    return new IndexForm(unique, ordered);
  }

  /** Adds the key of the entry that an edge has in this index, if it has one. */
  void addEntries(EdgeId edge, EdgeRecord record, Collection<byte[]> entries) {
    PropertyCell first = record.property(keys.get(0));
    if (first != null && holds(ElementKind.EDGE, edge.label())) {
      entries.add(entry(edge, record));
    }
  }

  private byte[] entry(EdgeId edge, EdgeRecord record) {
    byte[] element = GraphKeys.edge(edge);
    if (!isComposite()) {
      return IndexKey.entry(number, record.property(keys.get(0)), element, form());
    }
    return IndexKey.entry(number, cells(record), element, form());
  }

  private List<PropertyCell> cells(EdgeRecord record) {
    List<PropertyCell> cells = new ArrayList<>(keys.size());
    keys.forEach(key -> cells.add(record.property(key)));
    return cells;
  }

  /** Adds the keys of the entries that a vertex has in this index. */
  void addEntries(long vertex, VertexRecord record, Collection<byte[]> entries) {
    if (!holds(ElementKind.VERTEX, record.label(0))) {
      return;
    }
    byte[] element = GraphKeys.vertex(vertex);
    if (!isComposite()) {
      for (PropertyRecord property : record.withKey(keys.get(0))) {
        entries.add(IndexKey.entry(number, property, element, form()));
      }
      return;
    }
    List<List<PropertyRecord>> combinations = combinations(record);
    if (combinations == null) {
      entries.add(IndexKey.untold(number, element));
      return;
    }
    for (List<PropertyRecord> combination : combinations) {
      entries.add(IndexKey.entry(number, combination, element, form()));
    }
  }

  /**
   * The combinations of a value of each key, with null for a key that has none; empty if the first
   * has none, and null if there are too many.
   */
  private List<List<PropertyRecord>> combinations(VertexRecord record) {
    List<List<PropertyRecord>> values = new ArrayList<>(keys.size());
    long count = 1;
    for (int key : keys) {
      List<PropertyRecord> ofKey = record.withKey(key);
      values.add(values.isEmpty() ? ofKey : orAbsent(ofKey));
      count *= values.get(values.size() - 1).size();
      if (count == 0) {
        return List.of();
      }
      if (count > MOST_COMBINATIONS) {
        return null;
      }
    }
    List<List<PropertyRecord>> combinations = new ArrayList<>((int) count);
    int[] at = new int[keys.size()];
    do {
      List<PropertyRecord> combination = new ArrayList<>(at.length);
      for (int i = 0; i < at.length; i++) {
        combination.add(values.get(i).get(at[i]));
      }
      combinations.add(combination);
    } while (isMoved(at, values));
    return combinations;
  }

  private static List<PropertyRecord> orAbsent(List<PropertyRecord> values) {
    return values.isEmpty() ? Collections.singletonList(null) : values;
  }

  /** Goes to the next combination; false if there is none. */
  private static boolean isMoved(int[] at, List<? extends List<?>> values) {
    for (int i = at.length - 1; i >= 0; i--) {
      if (++at[i] < values.get(i).size()) {
        return true;
      }
      at[i] = 0;
    }
    return false;
  }

  /**
   * The ranges of the entries that may have what is sought of the first keys, those apart that are
   * not told from others; null if the index does not know, or if there are too many.
   */
  List<IndexKey.Range> ranges(List<Sought> sought) {
    List<byte[]> beginnings = List.of(IndexKey.beginning(number));
    int last = sought.size() - 1;
    for (int i = 0; i < last; i++) {
      List<byte[]> longer = new ArrayList<>();
      for (IndexValue.Interval value : sought.get(i).intervals(form().inexact(), false)) {
        beginnings.forEach(each -> longer.add(IndexKey.append(each, value.low())));
      }
      if (longer.size() > VertexLookup.MOST_RANGES) {
        return null;
      }
      beginnings = longer;
    }
    List<IndexValue.Interval> intervals =
        sought.get(last).intervals(isComposite() ? form().inexact() : form(), isComposite());
    if (intervals == null || beginnings.size() * intervals.size() > VertexLookup.MOST_RANGES) {
      return null;
    }
    boolean isWhole = sought.size() == keys.size();
    List<IndexKey.Range> ranges = new ArrayList<>();
    for (byte[] beginning : beginnings) {
      for (IndexValue.Interval interval : intervals) {
        ranges.add(IndexKey.range(beginning, interval, isWhole, unique && isComposite()));
      }
    }
    return ranges;
  }

  /** Whether commits refuse a second element with a value. */
  boolean isEnforced() {
    return unique && (state == IndexState.VERIFYING || state == IndexState.READY);
  }

  /** Whether no two elements may have an entry with the values of this one: none is absent. */
  boolean keepsUnique(byte[] entry) {
    return !IndexKey.isPartial(entry, keys.size());
  }

  /**
   * The value of a vertex that has an entry with this key, or the list of its values, with null for
   * one that is large; null if it is not known.
   */
  Object valueOf(byte[] entry, VertexRecord record) {
    byte[] element = IndexKey.elementOf(entry, elementBytes());
    if (isComposite()) {
      List<List<PropertyRecord>> combinations = combinations(record);
      for (List<PropertyRecord> each :
          combinations == null ? List.<List<PropertyRecord>>of() : combinations) {
        if (Arrays.equals(entry, IndexKey.entry(number, each, element, form()))) {
          return each.stream().map(GraphIndex::valueOf).toList();
        }
      }
      return null;
    }
    for (PropertyRecord property : record.withKey(keys.get(0))) {
      if (Arrays.equals(entry, IndexKey.entry(number, property, element, form()))) {
        return valueOf(property);
      }
    }
    return null;
  }

  /** The value of an edge that has an entry with this key, or the list of its values. */
  Object valueOf(byte[] entry, EdgeId edge, EdgeRecord record) {
    if (record.property(keys.get(0)) == null || !Arrays.equals(entry, entry(edge, record))) {
      return null;
    }
    return isComposite()
        ? cells(record).stream().map(GraphIndex::valueOf).toList()
        : valueOf(record.property(keys.get(0)));
  }

  private static Object valueOf(PropertyCell property) {
    return property == null || property.isLarge() ? null : property.value();
  }
}
