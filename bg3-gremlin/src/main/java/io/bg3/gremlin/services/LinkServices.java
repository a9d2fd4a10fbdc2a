package io.bg3.gremlin.services;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.LinkScan;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.gremlin.batch.BatchLabels;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The services {@code bg3.links.*}: edges with a declared label that has a sort key, of which there
 * is one from a source to a target, shown or hidden. A link is a list of target, sort key, whether
 * it is visible, and its other properties by name.
 */
final class LinkServices {
  private static final String LABEL = "label";
  private static final String SOURCE = "source";
  private static final String TARGET = "target";
  private static final String SORT_KEY = "sortKey";
  private static final String VISIBLE = "visible";
  private static final String PROPERTIES = "properties";
  private static final String LINKS = "links";
  private static final String FAMILY = "family";

  private static final int MOST_AT_ONCE = 10_000;
  private static final int COLUMNS = 6;

  private LinkServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    String label = "the declared label";
    String source = "id of the vertex that the link leaves, a number";
    String target = "id of the vertex that it enters, a number";
    return List.of(
        Bg3Service.writing(
            graph,
            "bg3.links.declare",
            described(
                LABEL,
                "a label that no edge has yet, or one that shall only become ordered or counted",
                SORT_KEY,
                "name of the property by which links are ordered, a long; may be absent with ttl,"
                    + " counted or family",
                "descending",
                "whether the largest comes first; true if absent",
                "loose",
                "whether ends need not exist and links have no way in; false if absent",
                "counted",
                "whether visible links are counted; false if absent",
                "ttl",
                "milliseconds that links and edges live after they were last written; for ever if"
                    + " absent",
                FAMILY,
                "name of the family that has them, which says how long they live; none if absent"),
            LinkServices::declare),
        Bg3Service.writing(
            graph,
            "bg3.links.add",
            described(
                LABEL,
                label,
                SOURCE,
                source,
                TARGET,
                target,
                SORT_KEY,
                "its place in the order",
                VISIBLE,
                "whether it is listed and counted; true if absent",
                PROPERTIES,
                "its other properties by name; none if absent"),
            LinkServices::add),
        Bg3Service.writing(
            graph,
            "bg3.links.addAll",
            described(LINKS, "lists of label, source, target, sort key, visible, properties"),
            LinkServices::addAll),
        Bg3Service.writing(
            graph,
            "bg3.links.delete",
            described(
                LABEL,
                label,
                SOURCE,
                source,
                TARGET,
                target,
                "expunge",
                "whether to remove it instead of hiding it; false if absent"),
            LinkServices::delete),
        Bg3Service.reading(
            graph,
            "bg3.links.get",
            described(LABEL, label, SOURCE, source, TARGET, target),
            LinkServices::get),
        Bg3Service.reading(
            graph,
            "bg3.links.multiget",
            described(LABEL, label, SOURCE, source, "targets", "ids of vertices"),
            LinkServices::multiget),
        Bg3Service.reading(
            graph,
            "bg3.links.list",
            described(
                LABEL,
                label,
                SOURCE,
                source,
                "low",
                "smallest sort key; any if absent",
                "high",
                "largest sort key; any if absent",
                "descending",
                "whether the largest comes first; true if absent",
                "offset",
                "how many are left out first; 0 if absent",
                "limit",
                "how many at most; " + MOST_AT_ONCE + " if absent"),
            LinkServices::list),
        Bg3Service.reading(
            graph,
            "bg3.links.count",
            described(LABEL, label, SOURCE, source),
            LinkServices::count));
  }

  /** Names and what each means, by turns. */
  static Map<String, String> described(String... texts) {
    Map<String, String> described = new LinkedHashMap<>();
    for (int i = 0; i < texts.length; i += 2) {
      described.put(texts[i], texts[i + 1]);
    }
    return described;
  }

  private static List<?> declare(Bg3Graph graph, ServiceParameters parameters) {
    String label = parameters.text(LABEL);
    long ttlMillis = parameters.number("ttl", 0L);
    EdgeLabelForm form =
        ofLabel(label, () -> EdgeLabelForm.plain().withTtl(ttlMillis))
            .inFamily(parameters.optionalText(FAMILY));
    boolean counted = parameters.flag("counted", false);
    boolean unordered =
        (form.ttlMillis() > 0 || counted || form.family() != null)
            && parameters.optionalText(SORT_KEY) == null
            && parameters.all().get("descending") == null;
    if (!unordered) {
      if (parameters.optionalText(SORT_KEY) == null) {
        throw parameters.refusal(
            SORT_KEY,
            "the property that gives the order, where neither a ttl above 0 nor counted=true nor a"
                + " family is given",
            null);
      }
      SortOrder order =
          parameters.flag("descending", true) ? SortOrder.DESCENDING : SortOrder.ASCENDING;
      form = form.orderedBy(parameters.text(SORT_KEY), order);
    }
    form = parameters.flag("loose", false) ? form.asLoose() : form;
    form = counted ? ofLabel(label, form::asCounted) : form;
    graph.graphStore().declareEdgeLabel(label, form);
    return List.of(true);
  }

  /** A form of a label; where there is no such form, the message names the label. */
  static EdgeLabelForm ofLabel(String label, Supplier<EdgeLabelForm> form) {
    try {
      return form.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", label=" + label, e);
    }
  }

  private static List<?> add(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    EdgeLabel label = BatchLabels.declared(store, parameters.text(LABEL));
    long source = parameters.vertex(SOURCE);
    long target = parameters.vertex(TARGET);
    long sortKey = parameters.number(SORT_KEY);
    boolean visible = parameters.flag(VISIBLE, true);
    PropertyBytes properties = encode(store, parameters.optionalProperties(PROPERTIES));
    return state(
        store.update(
            BatchLabels.owners(label, source, target),
            transaction ->
                transaction.links().put(label, source, target, sortKey, visible, properties)));
  }

  private static List<?> addAll(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    LinkBatch batch = new LinkBatch();
    for (Object each : parameters.list(LINKS, MOST_AT_ONCE)) {
      List<?> row = parameters.row(LINKS, each, COLUMNS);
      batch.add(
          BatchLabels.declared(store, parameters.text(LINKS, row.get(0))),
          parameters.vertex(LINKS, row.get(1)),
          parameters.vertex(LINKS, row.get(2)),
          parameters.number(LINKS, row.get(3)),
          parameters.flag(LINKS, row.get(4)),
          encode(store, parameters.properties(LINKS, row.get(5))));
    }
    store.putLinks(batch);
    return List.of((long) batch.count());
  }

  private static List<?> delete(Bg3Graph graph, ServiceParameters parameters) {
    GraphStore store = graph.graphStore();
    EdgeLabel label = store.declaredEdgeLabel(parameters.text(LABEL));
    long source = parameters.vertex(SOURCE);
    long target = parameters.vertex(TARGET);
    boolean expunge = parameters.flag("expunge", false);
    return state(
        label == null
            ? LinkState.ABSENT
            : store.update(
                BatchLabels.owners(label, source, target),
                transaction ->
                    expunge
                        ? transaction.links().expunge(label, source, target)
                        : transaction.links().hide(label, source, target)));
  }

  private static List<?> get(Bg3Graph graph, ServiceParameters parameters) {
    return some(graph, parameters, List.of(parameters.vertex(TARGET)));
  }

  private static List<?> multiget(Bg3Graph graph, ServiceParameters parameters) {
    return some(graph, parameters, parameters.list("targets", MOST_AT_ONCE));
  }

  private static List<?> some(Bg3Graph graph, ServiceParameters parameters, List<?> targets) {
    return reading(
        graph,
        parameters,
        List.of(),
        (label, source) ->
            transaction -> {
              List<Object> found = new ArrayList<>(targets.size());
              long[] vertices =
                  targets.stream().mapToLong(each -> parameters.vertex("targets", each)).toArray();
              for (int i = 0; i < vertices.length; i++) {
                transaction.links().prefetchNext(label, source, i, vertices);
                Link link = transaction.links().get(label, source, vertices[i]);
                if (link != null) {
                  found.add(row(graph, link));
                }
              }
              return found;
            });
  }

  private static List<?> list(Bg3Graph graph, ServiceParameters parameters) {
    long low = parameters.number("low", Long.MIN_VALUE);
    long high = parameters.number("high", Long.MAX_VALUE);
    boolean descending = parameters.flag("descending", true);
    SortOrder order = descending ? SortOrder.DESCENDING : SortOrder.ASCENDING;
    int offset = parameters.count("offset", 0, Integer.MAX_VALUE);
    int limit = parameters.count("limit", MOST_AT_ONCE, Integer.MAX_VALUE);
    return reading(
        graph,
        parameters,
        List.of(),
        (label, source) ->
            transaction -> {
              List<Object> found = new ArrayList<>();
              try (LinkScan scan =
                  transaction.links().list(label, source, low, high, order, offset, limit)) {
                while (scan.next(Bg3Services::checkInterrupt)) {
                  Bg3Services.checkInterrupt();
                  found.add(row(graph, scan.link()));
                }
              }
              return found;
            });
  }

  private static List<?> count(Bg3Graph graph, ServiceParameters parameters) {
    return reading(
        graph,
        parameters,
        List.of(0L),
        (label, source) -> transaction -> List.of(transaction.links().count(label, source)));
  }

  private static List<?> reading(
      Bg3Graph graph,
      ServiceParameters parameters,
      List<?> nothing,
      BiFunction<EdgeLabel, Long, Function<GraphTransaction, List<?>>> question) {
    EdgeLabel label = graph.graphStore().declaredEdgeLabel(parameters.text(LABEL));
    long source = parameters.vertex(SOURCE);
    return label == null ? nothing : graph.read(question.apply(label, source));
  }

  private static PropertyBytes encode(GraphStore store, Map<?, ?> properties) {
    PropertyBytes bytes = new PropertyBytes();
    properties.forEach(
        (key, value) ->
            bytes.put(store.makePropertyKey((String) key), ServiceParameters.stored(value)));
    return bytes;
  }

  private static List<?> row(Bg3Graph graph, Link link) {
    GraphStore store = graph.graphStore();
    Map<String, Object> properties = new LinkedHashMap<>();
    link.properties()
        .each(
            (value, key) -> properties.put(store.propertyKey(key), ServiceParameters.shown(value)));
    return List.of(link.target(), link.sortKey(), link.isVisible(), properties);
  }

  private static List<?> state(LinkState state) {
    return List.of(state.name().toLowerCase(Locale.ROOT));
  }
}
