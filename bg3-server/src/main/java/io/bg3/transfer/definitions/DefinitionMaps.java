package io.bg3.transfer.definitions;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.SortOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Definitions as maps of names to values: the members of a file, and the parameters of the services
 * {@code bg3.families.define}, {@code bg3.schema.define} and {@code bg3.index.create}. What is
 * absent has its default.
 */
public final class DefinitionMaps {
  static final String NAME = "name";
  static final String TTL = "ttl";
  static final String PAGE_CAPACITY = "pageCapacity";
  static final String CONSOLIDATE = "consolidate";
  static final String COMPRESSION = "compression";
  static final String SPLIT_OUT = "splitOut";
  static final String KIND = "kind";
  static final String LABEL = "label";
  static final String SORT_KEY = "sortKey";
  static final String DESCENDING = "descending";
  static final String LOOSE = "loose";
  static final String COUNTED = "counted";
  static final String FAMILY = "family";
  static final String KEYS = "keys";
  static final String TYPE = "type";
  static final String CARDINALITY = "cardinality";
  static final String REQUIRED = "required";
  static final String CLOSED = "closed";
  static final String SINGLE = "single";
  static final String SOURCES = "sources";
  static final String TARGETS = "targets";
  static final String UNIQUE = "unique";

  private DefinitionMaps() {}

  /** A family. */
  public static Map<String, Object> of(EdgeFamily family) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(NAME, family.name());
    putUnless(family.ttlMillis() == 0, TTL, family.ttlMillis(), map);
    putUnless(family.pageCapacity() == 0, PAGE_CAPACITY, family.pageCapacity(), map);
    putUnless(family.consolidate() == 0, CONSOLIDATE, family.consolidate(), map);
    putUnless(family.compression().isEmpty(), COMPRESSION, family.compression(), map);
    putUnless(family.splitOut() == 0, SPLIT_OUT, family.splitOut(), map);
    return map;
  }

  /** A declared edge label; the time to live of a family stands with the family alone. */
  public static Map<String, Object> of(LabelDefinition label) {
    EdgeLabelForm form = label.form();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(LABEL, label.name());
    putUnless(form.family() == null, FAMILY, form.family(), map);
    putUnless(form.ttlMillis() == 0 || form.family() != null, TTL, form.ttlMillis(), map);
    if (form.sortKey() != null) {
      map.put(SORT_KEY, form.sortKey());
      map.put(DESCENDING, form.order() == SortOrder.DESCENDING);
    }
    putUnless(!form.loose(), LOOSE, true, map);
    putUnless(!form.counted(), COUNTED, true, map);
    return map;
  }

  /** A declared edge label as {@code bg3.schema.define} declares it, without a schema. */
  public static Map<String, Object> declaration(LabelDefinition label) {
    Map<String, Object> map = of(label);
    map.put(KIND, text(ElementKind.EDGE));
    map.put(LOOSE, label.form().loose()); // one member of the form has to be there
    return map;
  }

  /** A schema. */
  public static Map<String, Object> of(LabelSchema schema) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(KIND, text(schema.kind()));
    map.put(LABEL, schema.label());
    Map<String, Object> keys = new LinkedHashMap<>();
    schema.keys().forEach(rule -> keys.put(rule.key(), of(rule)));
    putUnless(keys.isEmpty(), KEYS, keys, map);
    putUnless(!schema.closed(), CLOSED, true, map);
    putUnless(!schema.single(), SINGLE, true, map);
    List<String> sources = schema.ends().sources();
    putUnless(sources.isEmpty(), SOURCES, sources, map);
    List<String> targets = schema.ends().targets();
    putUnless(targets.isEmpty(), TARGETS, targets, map);
    return map;
  }

  /** The parameters that {@code bg3.schema.drop} needs of a schema. */
  public static Map<String, Object> dropped(LabelSchema schema) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(KIND, text(schema.kind()));
    map.put(LABEL, schema.label());
    return map;
  }

  private static Map<String, Object> of(KeyRule rule) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(TYPE, rule.type().toString());
    if (rule.cardinality() != null) {
      map.put(CARDINALITY, text(rule.cardinality()));
    }
    putUnless(!rule.required(), REQUIRED, true, map);
    return map;
  }

  /** A property index. */
  public static Map<String, Object> of(IndexDefinition index) {
    IndexedKeys of = index.of();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(KIND, text(of.kind()));
    putUnless(of.label() == null, LABEL, of.label(), map);
    map.put(KEYS, of.keys());
    putUnless(!index.unique(), UNIQUE, true, map);
    return map;
  }

  private static void putUnless(
      boolean isDefault, String name, Object value, Map<String, Object> map) {
    if (!isDefault) {
      map.put(name, value);
    }
  }

  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
