package io.bg3.transfer.definitions;

import static io.bg3.transfer.definitions.DefinitionMaps.CARDINALITY;
import static io.bg3.transfer.definitions.DefinitionMaps.CLOSED;
import static io.bg3.transfer.definitions.DefinitionMaps.COMPRESSION;
import static io.bg3.transfer.definitions.DefinitionMaps.CONSOLIDATE;
import static io.bg3.transfer.definitions.DefinitionMaps.COUNTED;
import static io.bg3.transfer.definitions.DefinitionMaps.DESCENDING;
import static io.bg3.transfer.definitions.DefinitionMaps.FAMILY;
import static io.bg3.transfer.definitions.DefinitionMaps.KEYS;
import static io.bg3.transfer.definitions.DefinitionMaps.KIND;
import static io.bg3.transfer.definitions.DefinitionMaps.LABEL;
import static io.bg3.transfer.definitions.DefinitionMaps.LOOSE;
import static io.bg3.transfer.definitions.DefinitionMaps.NAME;
import static io.bg3.transfer.definitions.DefinitionMaps.PAGE_CAPACITY;
import static io.bg3.transfer.definitions.DefinitionMaps.REQUIRED;
import static io.bg3.transfer.definitions.DefinitionMaps.SINGLE;
import static io.bg3.transfer.definitions.DefinitionMaps.SORT_KEY;
import static io.bg3.transfer.definitions.DefinitionMaps.SOURCES;
import static io.bg3.transfer.definitions.DefinitionMaps.SPLIT_OUT;
import static io.bg3.transfer.definitions.DefinitionMaps.TARGETS;
import static io.bg3.transfer.definitions.DefinitionMaps.TTL;
import static io.bg3.transfer.definitions.DefinitionMaps.TYPE;
import static io.bg3.transfer.definitions.DefinitionMaps.UNIQUE;

import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.ValueType;
import io.bg3.core.transaction.Dictionary;
import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads definitions from nodes, each definition once, and refuses what it does not understand (D1).
 * A label has to come behind its family.
 */
final class DefinitionsReader {
  private static final List<String> FAMILY_MEMBERS =
      List.of(NAME, TTL, PAGE_CAPACITY, CONSOLIDATE, COMPRESSION, SPLIT_OUT);
  private static final List<String> LABEL_MEMBERS =
      List.of(LABEL, FAMILY, TTL, SORT_KEY, DESCENDING, LOOSE, COUNTED);
  private static final List<String> SCHEMA_MEMBERS =
      List.of(KIND, LABEL, KEYS, CLOSED, SINGLE, SOURCES, TARGETS);
  private static final List<String> RULE_MEMBERS = List.of(TYPE, CARDINALITY, REQUIRED);
  private static final List<String> INDEX_MEMBERS = List.of(KIND, LABEL, KEYS, UNIQUE);

  private final Map<String, EdgeFamily> families = new LinkedHashMap<>();
  private final Map<String, LabelDefinition> labels = new LinkedHashMap<>();
  private final Map<DefinitionName, LabelSchema> schemas = new LinkedHashMap<>();
  private final Map<IndexedKeys, IndexDefinition> indexes = new LinkedHashMap<>();

  /** A part of a definition, which its constructor may refuse. */
  private interface Made<T> {
    T make() throws TransferException;
  }

  /** The definitions that were read so far. */
  Definitions definitions() {
    return new Definitions(
        new ArrayList<>(families.values()),
        new ArrayList<>(labels.values()),
        new ArrayList<>(schemas.values()),
        new ArrayList<>(indexes.values()));
  }

  void family(Node node) throws TransferException {
    Node.Members members = node.members(FAMILY_MEMBERS);
    String name = name(members.get(NAME));
    String compression = members.text(COMPRESSION);
    EdgeFamily family =
        made(
            node,
            () ->
                new EdgeFamily(
                    name,
                    members.number(TTL, EdgeLabelForm.MOST_TTL_MILLIS),
                    (int) members.number(PAGE_CAPACITY, Integer.MAX_VALUE),
                    (int) members.number(CONSOLIDATE, Integer.MAX_VALUE),
                    (int) members.number(SPLIT_OUT, Integer.MAX_VALUE),
                    compression == null ? "" : compression));
    add(name, family, families, node);
  }

  void label(Node node) throws TransferException {
    Node.Members members = node.members(LABEL_MEMBERS);
    String name = name(members.get(LABEL));
    add(name, new LabelDefinition(name, made(node, () -> form(members))), labels, node);
  }

  private EdgeLabelForm form(Node.Members members) throws TransferException {
    EdgeLabelForm form =
        EdgeLabelForm.plain()
            .withTtl(members.number(TTL, EdgeLabelForm.MOST_TTL_MILLIS))
            .inFamily(members.text(FAMILY));
    if (form.family() != null) {
      form = form.withTtl(ttl(form, members.get(FAMILY)));
    }
    if (members.has(SORT_KEY)) {
      SortOrder order = members.flag(DESCENDING, true) ? SortOrder.DESCENDING : SortOrder.ASCENDING;
      form = form.orderedBy(name(members.get(SORT_KEY)), order);
    } else if (members.has(DESCENDING)) {
      throw members.get(DESCENDING).error("an order needs a sort key: missing member=" + SORT_KEY);
    }
    form = members.flag(LOOSE, false) ? form.asLoose() : form;
    return members.flag(COUNTED, false) ? form.asCounted() : form;
  }

  private long ttl(EdgeLabelForm form, Node at) throws TransferException {
    EdgeFamily family = families.get(form.family());
    if (family == null) {
      throw at.error("unknown family: family=" + form.family() + ", known=" + families.keySet());
    }
    if (form.ttlMillis() != 0 && form.ttlMillis() != family.ttlMillis()) {
      throw at.error(
          "the family has another time to live: family="
              + family.name()
              + ", ttl="
              + family.ttlMillis()
              + ", of the label="
              + form.ttlMillis());
    }
    return family.ttlMillis();
  }

  void schema(Node node) throws TransferException {
    Node.Members members = node.members(SCHEMA_MEMBERS);
    ElementKind kind = kind(members);
    String label = name(members.get(LABEL));
    List<KeyRule> keys = new ArrayList<>();
    if (members.has(KEYS)) {
      for (Map.Entry<String, Node> rule : members.get(KEYS).map().entrySet()) {
        keys.add(rule(rule.getKey(), rule.getValue()));
      }
    }
    LabelSchema schema =
        made(
            node,
            () ->
                new LabelSchema(
                    kind,
                    label,
                    keys,
                    members.flag(CLOSED, false),
                    members.flag(SINGLE, false),
                    new AllowedEnds(names(members, SOURCES), names(members, TARGETS))));
    if (schema.isEmpty()) {
      throw node.error("a schema needs a rule: keys, closed, single, sources or targets");
    }
    add(DefinitionName.of(schema), schema, schemas, node);
  }

  private static KeyRule rule(String key, Node node) throws TransferException {
    requireName(key, node);
    if (node.isText()) {
      return KeyRule.of(key, type(node));
    }
    Node.Members members = node.members(RULE_MEMBERS);
    ValueType type = members.has(TYPE) ? type(members.get(TYPE)) : ValueType.ANY;
    Cardinality cardinality =
        members.has(CARDINALITY) ? constant(Cardinality.values(), members.get(CARDINALITY)) : null;
    return new KeyRule(key, type, cardinality, members.flag(REQUIRED, false));
  }

  private static ValueType type(Node node) throws TransferException {
    return constant(ValueType.values(), node);
  }

  void index(Node node) throws TransferException {
    Node.Members members = node.members(INDEX_MEMBERS);
    ElementKind kind = kind(members);
    String label = members.has(LABEL) ? name(members.get(LABEL)) : null;
    members.get(KEYS);
    List<String> keys = names(members, KEYS);
    IndexedKeys of = made(node, () -> new IndexedKeys(kind, label, keys));
    add(of, new IndexDefinition(of, members.flag(UNIQUE, false)), indexes, node);
  }

  private static ElementKind kind(Node.Members members) throws TransferException {
    return members.has(KIND)
        ? constant(ElementKind.values(), members.get(KIND))
        : ElementKind.VERTEX;
  }

  private static <E extends Enum<E>> E constant(E[] all, Node node) throws TransferException {
    String text = node.text();
    for (E constant : all) {
      if (DefinitionMaps.text(constant).equals(text)) {
        return constant;
      }
    }
    throw node.error(
        "unknown value: found="
            + text
            + ", known="
            + Arrays.stream(all).map(DefinitionMaps::text).toList());
  }

  /** A text that can be a label, a key or the name of a family. */
  private static String name(Node node) throws TransferException {
    String text = node.text();
    requireName(text, node);
    return text;
  }

  private static void requireName(String text, Node node) throws TransferException {
    try {
      Dictionary.requireName(text);
    } catch (IllegalArgumentException e) {
      throw node.error(e.getMessage(), e);
    }
  }

  private static List<String> names(Node.Members members, String of) throws TransferException {
    List<String> names = new ArrayList<>();
    for (Node each : members.list(of)) {
      names.add(name(each));
    }
    return names;
  }

  /** Makes a part of a definition, and names its place if that refuses what it is given. */
  private static <T> T made(Node node, Made<T> maker) throws TransferException {
    try {
      return maker.make();
    } catch (IllegalArgumentException e) {
      throw node.error(e.getMessage(), e);
    }
  }

  private static <K, D> void add(K name, D definition, Map<K, D> all, Node node)
      throws TransferException {
    if (all.putIfAbsent(name, definition) != null) {
      throw node.error("this is defined twice: name=" + name);
    }
  }
}
