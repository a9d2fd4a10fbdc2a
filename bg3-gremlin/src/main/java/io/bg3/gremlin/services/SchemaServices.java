package io.bg3.gremlin.services;

import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.CounterState;
import io.bg3.core.graph.CounterStatus;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.OrderState;
import io.bg3.core.graph.OrderStatus;
import io.bg3.core.graph.SchemaStatus;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.ValueType;
import io.bg3.core.limit.Limit;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The services {@code bg3.schema.*}: rules for the elements with a label, and what edge labels are
 * declared as. A schema is a map of its kind, its label, its keys (each a map of its type,
 * cardinality and whether it is required), whether it is closed, its state ({@code verifying},
 * {@code enforced} or {@code failed}), how many elements have been looked at, and the problem if it
 * has failed. What an edge label is declared as stands in the map of its schema, or in one without
 * a state; of a counted one also how far its counters are ({@code building} or {@code ready}), of
 * how many vertices the edges have been counted, and the problem if that has stopped.
 */
final class SchemaServices {
  private static final String KIND = "kind";
  private static final String LABEL = "label";
  private static final String KEYS = "keys";
  private static final String TYPE = "type";
  private static final String CARDINALITY = "cardinality";
  private static final String REQUIRED = "required";
  private static final String CLOSED = "closed";
  private static final String SINGLE = "single";
  private static final String SOURCES = "sources";
  private static final String TARGETS = "targets";
  private static final String SORT_KEY = "sortKey";
  private static final String DESCENDING = "descending";
  private static final String LOOSE = "loose";
  private static final String COUNTED = "counted";
  private static final String TTL = "ttl";
  private static final String FAMILY = "family";
  private static final List<String> FORM =
      List.of(SORT_KEY, DESCENDING, LOOSE, COUNTED, TTL, FAMILY);
  private static final Set<String> RULE = Set.of(TYPE, CARDINALITY, REQUIRED);

  private SchemaServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    Map<String, String> of =
        LinkServices.described(
            KIND,
            "'vertex' or 'edge'; vertices if absent",
            LABEL,
            "the label of the elements, of vertices the first");
    Map<String, String> defined = new LinkedHashMap<>(of);
    defined.putAll(
        LinkServices.described(
            KEYS,
            "a map of property keys to a type, or to a map of type, cardinality ('single', 'list',"
                + " 'set') and required; none if absent",
            CLOSED,
            "true if the elements have no other keys; false if absent",
            SINGLE,
            "of edges: true if there is one at most from one vertex to another; false if absent",
            SOURCES,
            "of edges: a list of the labels that the vertices may have which they leave; any if"
                + " absent",
            TARGETS,
            "of edges: a list of the labels that the vertices may have which they enter; any if"
                + " absent",
            SORT_KEY,
            "of an edge label, new or not: name of the property by which edges are ordered, a long",
            DESCENDING,
            "of an edge label with sortKey: whether the largest comes first; true if absent",
            LOOSE,
            "of a new edge label: whether ends need not exist; false if absent",
            COUNTED,
            "of an edge label, new or not: whether edges are counted; false if absent",
            TTL,
            "of a new edge label: milliseconds that edges live; for ever if absent",
            FAMILY,
            "of a new edge label: name of the family that has its edges; none if absent"));
    return List.of(
        Bg3Service.writing(graph, "bg3.schema.define", defined, SchemaServices::define),
        Bg3Service.writing(graph, "bg3.schema.drop", of, SchemaServices::drop),
        Bg3Service.reading(graph, "bg3.schema.list", Map.of(), SchemaServices::list));
  }

  private static List<?> define(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    LabelSchema schema =
        new LabelSchema(
            kind(parameters),
            parameters.text(LABEL),
            keys(parameters),
            parameters.flag(CLOSED, false),
            parameters.flag(SINGLE, false),
            new AllowedEnds(labels(parameters, SOURCES), labels(parameters, TARGETS)));
    EdgeLabel declared = null;
    if (FORM.stream().anyMatch(name -> parameters.all().get(name) != null)) {
      declared = declare(store, schema, parameters);
    }
    if (declared != null && schema.isEmpty()) {
      return List.of(row(store, declared));
    }
    return List.of(row(store, store.defineSchema(schema)));
  }

  private static EdgeLabel declare(
      GraphStore store, LabelSchema schema, ServiceParameters parameters) {
    if (schema.kind() != ElementKind.EDGE) {
      throw parameters.refusal(KIND, "'edge', where one of " + FORM + " is given", "vertex");
    }
    long ttlMillis = parameters.number(TTL, 0L);
    EdgeLabelForm form =
        LinkServices.ofLabel(schema.label(), () -> EdgeLabelForm.plain().withTtl(ttlMillis))
            .inFamily(parameters.optionalText(FAMILY));
    if (parameters.optionalText(SORT_KEY) != null) {
      SortOrder order =
          parameters.flag(DESCENDING, true) ? SortOrder.DESCENDING : SortOrder.ASCENDING;
      form = form.orderedBy(parameters.text(SORT_KEY), order);
    } else if (parameters.all().get(DESCENDING) != null) {
      throw parameters.refusal(SORT_KEY, "the property that gives the order", null);
    }
    form = parameters.flag(LOOSE, false) ? form.asLoose() : form;
    form =
        parameters.flag(COUNTED, false)
            ? LinkServices.ofLabel(schema.label(), form::asCounted)
            : form;
    return store.declareEdgeLabel(schema.label(), form);
  }

  private static List<String> labels(ServiceParameters parameters, String name) {
    if (parameters.all().get(name) == null) {
      return List.of();
    }
    return parameters.list(name, (int) Limit.SCHEMA_ENDS.most()).stream()
        .map(label -> parameters.text(name, label))
        .toList();
  }

  private static List<KeyRule> keys(ServiceParameters parameters) {
    List<KeyRule> keys = new ArrayList<>();
    parameters
        .optionalProperties(KEYS)
        .forEach((key, rule) -> keys.add(rule(parameters, (String) key, rule)));
    return keys;
  }

  private static KeyRule rule(ServiceParameters parameters, String key, Object given) {
    if (given instanceof String type) {
      return KeyRule.of(key, ValueType.named(type));
    }
    Map<?, ?> rule = parameters.properties(KEYS, given);
    if (!RULE.containsAll(rule.keySet())) {
      throw parameters.refusal(KEYS, "maps of " + RULE + " for each key", key + "=" + rule);
    }
    Object type = rule.get(TYPE);
    Object cardinality = rule.get(CARDINALITY);
    Object required = rule.get(REQUIRED);
    return new KeyRule(
        key,
        type == null ? ValueType.ANY : ValueType.named(parameters.text(KEYS, type)),
        cardinality == null ? null : cardinality(parameters, parameters.text(KEYS, cardinality)),
        required != null && parameters.flag(KEYS, required));
  }

  private static Cardinality cardinality(ServiceParameters parameters, String name) {
    return Arrays.stream(Cardinality.values())
        .filter(each -> name(each).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> parameters.refusal(KEYS, "cardinality 'single', 'list' or 'set'", name));
  }

  private static List<?> drop(Bg3Graph graph, ServiceParameters parameters) {
    return List.of(graph.graphStore().dropSchema(kind(parameters), parameters.text(LABEL)));
  }

  private static List<?> list(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (SchemaStatus schema : store.schemas()) {
      rows.add(row(store, schema));
    }
    for (EdgeLabel label : store.declaredEdgeLabels()) {
      if (store.schemas().stream()
          .noneMatch(
              each ->
                  each.schema().kind() == ElementKind.EDGE
                      && each.schema().label().equals(label.name()))) {
        rows.add(row(store, label));
      }
    }
    return rows;
  }

  private static ElementKind kind(ServiceParameters parameters) {
    String kind = parameters.optionalText(KIND);
    if (kind == null || kind.equals(name(ElementKind.VERTEX))) {
      return ElementKind.VERTEX;
    }
    if (kind.equals(name(ElementKind.EDGE))) {
      return ElementKind.EDGE;
    }
    throw parameters.refusal(KIND, "'vertex' or 'edge'", kind);
  }

  private static Map<String, Object> row(GraphStore store, SchemaStatus status) {
    LabelSchema schema = status.schema();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(KIND, name(schema.kind()));
    row.put(LABEL, schema.label());
    Map<String, Object> keys = new LinkedHashMap<>();
    schema.keys().forEach(rule -> keys.put(rule.key(), row(rule)));
    row.put(KEYS, keys);
    row.put(CLOSED, schema.closed());
    if (schema.kind() == ElementKind.EDGE) {
      row.put(SINGLE, schema.single());
      addLabels(SOURCES, schema.ends().sources(), row);
      addLabels(TARGETS, schema.ends().targets(), row);
    }
    EdgeLabel declared =
        schema.kind() == ElementKind.EDGE ? store.declaredEdgeLabel(schema.label()) : null;
    if (declared != null) {
      addForm(store, declared, row);
    }
    row.put("state", name(status.state()));
    row.put("done", status.done());
    if (status.problem() != null) {
      row.put("problem", status.problem());
    }
    return row;
  }

  private static void addLabels(String name, List<String> labels, Map<String, Object> row) {
    if (!labels.isEmpty()) {
      row.put(name, labels);
    }
  }

  private static Map<String, Object> row(KeyRule rule) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(TYPE, rule.type().toString());
    if (rule.cardinality() != null) {
      row.put(CARDINALITY, name(rule.cardinality()));
    }
    row.put(REQUIRED, rule.required());
    return row;
  }

  private static Map<String, Object> row(GraphStore store, EdgeLabel declared) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(KIND, name(ElementKind.EDGE));
    row.put(LABEL, declared.name());
    addForm(store, declared, row);
    return row;
  }

  private static void addForm(GraphStore store, EdgeLabel label, Map<String, Object> row) {
    EdgeLabelForm form = label.form();
    if (form.sortKey() != null) {
      row.put(SORT_KEY, form.sortKey());
      row.put(DESCENDING, form.order() == SortOrder.DESCENDING);
    }
    OrderStatus order = store.order(label);
    if (order != null) {
      row.put("order", name(order.state()));
      if (order.state() != OrderState.READY) {
        row.put("orderDone", order.done());
      }
      if (order.problem() != null) {
        row.put("orderProblem", order.problem());
      }
    }
    row.put(LOOSE, form.loose());
    row.put(COUNTED, form.counted());
    CounterStatus counters = store.counters(label);
    if (counters != null) {
      row.put("counters", name(counters.state()));
      if (counters.state() == CounterState.BUILDING) {
        row.put("countersDone", counters.done());
      }
      if (counters.problem() != null) {
        row.put("countersProblem", counters.problem());
      }
    }
    if (form.ttlMillis() > 0) {
      row.put(TTL, form.ttlMillis());
    }
    if (form.family() != null) {
      row.put(FAMILY, form.family());
    }
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
