package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.RecordReader;
import io.bg3.core.record.RecordWriter;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Dictionary;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A schema by the codes of its label and keys: how it is stored, and whether an element meets it.
 *
 * <pre>
 *   META   "schema/", kind (1), code of the label (4, big-endian)   to the definition:
 *            u8      version   1
 *            u8      state     1 = verifying, also when that has failed; 2 = enforced
 *            u8      form      1 = closed, plus 2 = one edge at most from one vertex to another,
 *                              plus 4 = some ends of edges are allowed
 *            varint  count     of rules of keys
 *            each    varint    code of the property key
 *                    u8        type
 *                    u8        0 = no cardinality, 1 = single, 2 = list, 3 = set; plus 4 = required
 *            with 4  twice, of the sources and of the targets:
 *                    varint    count   of labels, 0 for all
 *                    varint    each    code of a vertex label
 *          kind is 1 for vertices, of which the label is the first one, and 2 for edges
 * </pre>
 *
 * @param number tells it from another definition of the same, since the store was opened
 * @param label its code
 * @param keys the rules by the codes of their keys
 * @param sources the codes of the labels that the sources of edges may have; none for all
 * @param targets those of the targets
 * @param state what it is in
 * @param since the stamp from which on all elements meet it; 0 from the opening on
 */
record LabelRules(
    LabelSchema schema,
    long number,
    int label,
    Map<Integer, KeyRule> keys,
    Set<Integer> sources,
    Set<Integer> targets,
    SchemaState state,
    long since) {
  static final byte[] DEFINITIONS = "schema/".getBytes(StandardCharsets.US_ASCII);
  private static final String WHAT = "schema of a label";
  private static final int VERSION = 1;
  private static final int CLOSED = 1;
  private static final int SINGLE = 2;
  private static final int ENDS = 4;
  private static final int REQUIRED = 4;
  private static final int MOST_SHOWN = 60;

  byte[] definitionKey() {
    return ByteBuffer.allocate(DEFINITIONS.length + 1 + Integer.BYTES)
        .put(DEFINITIONS)
        .put((byte) (schema.kind() == ElementKind.VERTEX ? 1 : 2))
        .putInt(label)
        .array();
  }

  LabelRules with(SchemaState next, long stamp) {
    return new LabelRules(schema, number, label, keys, sources, targets, next, stamp);
  }

  /** Whether commits keep it. */
  boolean isKept() {
    return state != SchemaState.FAILED;
  }

  boolean isOf(ElementKind kind, String name) {
    return schema.kind() == kind && schema.label().equals(name);
  }

  byte[] encode() {
    RecordWriter to = new RecordWriter();
    to.u8(VERSION).u8(state == SchemaState.ENFORCED ? 2 : 1);
    boolean isAny = schema.ends().isAny();
    to.u8((schema.closed() ? CLOSED : 0) | (schema.single() ? SINGLE : 0) | (isAny ? 0 : ENDS));
    to.varint(keys.size());
    keys.forEach(
        (code, rule) ->
            to.varint(code)
                .u8(rule.type().code())
                .u8(code(rule.cardinality()) + (rule.required() ? REQUIRED : 0)));
    if (!isAny) {
      to.varint(sources.size());
      sources.forEach(to::varint);
      to.varint(targets.size());
      targets.forEach(to::varint);
    }
    return to.toBytes();
  }

  private static Set<Integer> ends(RecordReader from, int most) {
    Set<Integer> codes = new LinkedHashSet<>();
    for (int left = from.number("labels", 0, most); left > 0; left--) {
      codes.add(from.number("label", 1, Integer.MAX_VALUE));
    }
    return codes;
  }

  /**
   * Reads what {@link #encode} wrote under {@link #definitionKey}.
   *
   * @param labels the text of a label
   * @param texts the text of a key
   */
  static LabelRules decode(byte[] key, byte[] bytes, Labels labels, IntFunction<String> texts) {
    int kind = key.length == DEFINITIONS.length + 1 + Integer.BYTES ? key[DEFINITIONS.length] : 0;
    if (kind != 1 && kind != 2) {
      throw new CorruptionException(WHAT, 0, "a key of a schema", Arrays.toString(key));
    }
    ElementKind of = kind == 1 ? ElementKind.VERTEX : ElementKind.EDGE;
    int label = ByteBuffer.wrap(key).getInt(DEFINITIONS.length + 1);
    RecordReader from = new RecordReader(WHAT, bytes);
    from.number("version", VERSION, VERSION);
    int state = from.number("state", 1, 2);
    int form = from.number("form", 0, of == ElementKind.EDGE ? CLOSED | SINGLE | ENDS : CLOSED);
    int count = from.number("rules", 0, bytes.length);
    Map<Integer, KeyRule> keys = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      int code = from.number("key", 1, Integer.MAX_VALUE);
      ValueType type = ValueType.of(from.number("type", 0, ValueType.values().length - 1L));
      int flags = from.number("rule", 0, REQUIRED + 3);
      Cardinality cardinality = cardinality(flags & ~REQUIRED);
      keys.put(code, new KeyRule(texts.apply(code), type, cardinality, (flags & REQUIRED) != 0));
    }
    boolean hasEnds = (form & ENDS) != 0;
    Set<Integer> sources = hasEnds ? ends(from, bytes.length) : Set.of();
    Set<Integer> targets = hasEnds ? ends(from, bytes.length) : Set.of();
    from.end();
    LabelSchema schema =
        new LabelSchema(
            of,
            labels.text(of, label),
            new ArrayList<>(keys.values()),
            (form & CLOSED) != 0,
            (form & SINGLE) != 0,
            new AllowedEnds(texts(sources, labels), texts(targets, labels)));
    SchemaState now = state == 2 ? SchemaState.ENFORCED : SchemaState.VERIFYING;
    return new LabelRules(schema, 0, label, keys, sources, targets, now, 0);
  }

  private static List<String> texts(Set<Integer> codes, Labels labels) {
    return codes.stream().map(code -> labels.text(ElementKind.VERTEX, code)).toList();
  }

  /** The texts of labels by their codes. */
  @FunctionalInterface
  interface Labels {
    String text(ElementKind kind, int code);
  }

  /** Stands on disk, so it does not follow the order of the constants. */
  private static int code(Cardinality cardinality) {
    if (cardinality == null) {
      return 0;
    }
    return switch (cardinality) {
      case SINGLE -> 1;
      case LIST -> 2;
      case SET -> 3;
    };
  }

  private static Cardinality cardinality(int code) {
    return switch (code) {
      case 1 -> Cardinality.SINGLE;
      case 2 -> Cardinality.LIST;
      case 3 -> Cardinality.SET;
      default -> null;
    };
  }

  /**
   * How a vertex breaks the rules, for people; null if it does not.
   *
   * @param vertex its id for people
   * @param values reads the value of a property
   * @param texts the text of a key
   */
  String problem(
      Supplier<Object> vertex,
      VertexRecord record,
      Function<PropertyRecord, Object> values,
      IntFunction<String> texts) {
    for (Map.Entry<Integer, KeyRule> each : keys.entrySet()) {
      List<PropertyRecord> found = record.withKey(each.getKey());
      KeyRule rule = each.getValue();
      if (rule.required() && found.isEmpty()) {
        return missing(vertex, rule);
      }
      if (rule.cardinality() == Cardinality.SINGLE && found.size() > 1) {
        return several(vertex, rule, found.size() + " values");
      }
      for (PropertyRecord property : found) {
        Object value = isRead(rule) ? values.apply(property) : null;
        if (rule.type() != ValueType.ANY && !rule.type().has(value)) {
          return wrongType(vertex, rule, value);
        }
        if (rule.cardinality() == Cardinality.SET
            && found.size() > 1
            && record.withValue(each.getKey(), value, values).number() != property.number()) {
          return several(vertex, rule, "twice " + shown(value));
        }
      }
    }
    if (schema.closed()) {
      for (PropertyRecord property : record.properties()) {
        if (!keys.containsKey(property.key())) {
          return unknown(vertex, texts.apply(property.key()));
        }
      }
    }
    return null;
  }

  private static boolean isRead(KeyRule rule) {
    return rule.type() != ValueType.ANY || rule.cardinality() == Cardinality.SET;
  }

  /** How an edge breaks the rules, as above; null if it does not. */
  String problem(Supplier<Object> edge, EdgeRecord record, IntFunction<String> texts) {
    for (Map.Entry<Integer, KeyRule> each : keys.entrySet()) {
      PropertyCell found = record.property(each.getKey());
      KeyRule rule = each.getValue();
      if (rule.required() && found == null) {
        return missing(edge, rule);
      }
      if (rule.type() != ValueType.ANY && found != null) {
        Object value = found.value();
        if (!rule.type().has(value)) {
          return wrongType(edge, rule, value);
        }
      }
    }
    if (schema.closed()) {
      for (PropertyCell property : record.properties()) {
        if (!keys.containsKey(property.key())) {
          return unknown(edge, texts.apply(property.key()));
        }
      }
    }
    return null;
  }

  /**
   * How an edge breaks the rule that there is one from its source to its target, because it is the
   * second; null if it does not.
   *
   * @param in sees the edge
   */
  String second(GraphTransaction in, EdgeId edge) {
    if (!schema.single() || edge.sequence() == 0) {
      return null; // no edge comes before the first
    }
    EdgeId first = in.firstBetween(edge);
    return first.equals(edge) ? null : twice(edge, first);
  }

  /**
   * How an edge joins vertices that it may not; null if it may. A vertex that is not there is no
   * problem of the schema.
   *
   * @param name the id of the edge for people
   * @param vertices the record of a vertex, null if there is none; asked where an end has a rule
   * @param labels the text of a vertex label
   */
  String wrongEnd(
      Object name, EdgeId edge, LongFunction<VertexRecord> vertices, IntFunction<String> labels) {
    VertexRecord source = sources.isEmpty() ? null : vertices.apply(edge.source());
    VertexRecord target = targets.isEmpty() ? null : vertices.apply(edge.target());
    String problem = wrongEnd(name, "source", sources, source, labels);
    return problem != null ? problem : wrongEnd(name, "target", targets, target, labels);
  }

  private String wrongEnd(
      Object name,
      String end,
      Set<Integer> allowed,
      VertexRecord vertex,
      IntFunction<String> labels) {
    if (vertex == null || allowed.contains(vertex.label(0))) {
      return null;
    }
    return "the schema does not allow the edge between these vertices, choose others: edge="
        + name
        + ", label="
        + schema.label()
        + ", rule="
        + end
        + " "
        + (end.equals("source") ? schema.ends().sources() : schema.ends().targets())
        + ", found="
        + labels.apply(vertex.label(0));
  }

  /** How an edge that a transaction sees joins vertices that it may not, as above. */
  String wrongEnd(GraphTransaction in, EdgeId edge) {
    return schema.ends().isAny()
        ? null
        : wrongEnd(edge, edge, in::vertex, code -> in.text(Dictionary.Kind.VERTEX_LABEL, code));
  }

  /**
   * How two edges from one vertex to another break the rule that there is one.
   *
   * @param edge the one that comes second
   */
  String twice(Object edge, Object other) {
    return "the schema allows one edge from a vertex to another, change the one that is there or"
        + " remove it first: edge="
        + edge
        + ", label="
        + schema.label()
        + ", rule=single, found="
        + other;
  }

  private String missing(Supplier<Object> element, KeyRule rule) {
    return "the schema requires a property, set it: "
        + named(element, rule.key())
        + ", rule=required, found=none";
  }

  private String wrongType(Supplier<Object> element, KeyRule rule, Object value) {
    return "the schema requires another type of the value, convert it: "
        + named(element, rule.key())
        + ", rule=type "
        + rule.type()
        + ", found="
        + value.getClass().getSimpleName()
        + " "
        + shown(value);
  }

  private String several(Supplier<Object> element, KeyRule rule, String found) {
    return "the schema does not allow these values together, keep one: "
        + named(element, rule.key())
        + ", rule=cardinality "
        + rule.cardinality().name().toLowerCase(Locale.ROOT)
        + ", found="
        + found;
  }

  private String unknown(Supplier<Object> element, String key) {
    return "the schema is closed and does not have the key, remove the property or define the"
        + " schema anew: "
        + named(element, key)
        + ", rule=closed";
  }

  private String named(Supplier<Object> element, String key) {
    String kind = schema.kind() == ElementKind.EDGE ? "edge=" : "vertex=";
    return kind + element.get() + ", label=" + schema.label() + ", key=" + key;
  }

  private static String shown(Object value) {
    String text = String.valueOf(value);
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
  }
}
