package io.bg3.gremlin.services;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The services {@code bg3.families.*}: named sets of edge labels whose edges have a tree and
 * extents of their own. A family is a map of its name and of the settings that are its own.
 */
final class FamilyServices {
  private static final String NAME = "name";
  private static final String TTL = "ttl";
  private static final String PAGE_CAPACITY = "pageCapacity";
  private static final String CONSOLIDATE = "consolidate";
  private static final String COMPRESSION = "compression";
  private static final String SPLIT_OUT = "splitOut";

  private FamilyServices() {}

  static List<Bg3Service> of(Bg3Graph graph) {
    String store = "; as the store has it if absent";
    Map<String, String> family =
        LinkServices.described(
            NAME,
            "name of the family, which labels are declared with",
            TTL,
            "milliseconds that its edges live after they were last written; never changes, so that"
                + " 'change' takes the family's if it is absent; for ever if 'define' has none",
            PAGE_CAPACITY,
            "bytes above which a leaf is split, 512 to 65536" + store,
            CONSOLIDATE,
            "entries that the delta of a leaf may hold, 1 to 1000" + store,
            COMPRESSION,
            "'none', 'packed', 'lz4', 'zstd', 'zstd:1' to 'zstd:19'" + store,
            SPLIT_OUT,
            "entries of a vertex in the family above which it moves to a tree of its own for them,"
                + " 8 or more; none moves if absent");
    return List.of(
        Bg3Service.writing(graph, "bg3.families.define", family, FamilyServices::define),
        Bg3Service.writing(graph, "bg3.families.change", family, FamilyServices::change),
        Bg3Service.reading(graph, "bg3.families.list", Map.of(), FamilyServices::list));
  }

  private static List<?> define(Bg3Graph graph, ServiceParameters parameters) {
    return List.of(row(graph.graphStore().defineFamily(family(parameters))));
  }

  private static List<?> change(Bg3Graph graph, ServiceParameters parameters) {
    return List.of(row(graph.graphStore().changeFamily(changed(graph, parameters))));
  }

  private static List<?> list(Bg3Graph graph, ServiceParameters parameters) {
    return graph.graphStore().families().stream().map(FamilyServices::row).toList();
  }

  private static EdgeFamily family(ServiceParameters parameters) {
    String name = parameters.text(NAME);
    String compression = parameters.optionalText(COMPRESSION);
    return new EdgeFamily(
        name,
        parameters.number(TTL, 0L),
        parameters.count(PAGE_CAPACITY, 0, Integer.MAX_VALUE),
        parameters.count(CONSOLIDATE, 0, Integer.MAX_VALUE),
        parameters.count(SPLIT_OUT, 0, Integer.MAX_VALUE),
        compression == null ? "" : compression);
  }

  /** A family with other settings, and with the time to live that it has if none is given. */
  private static EdgeFamily changed(Bg3Graph graph, ServiceParameters parameters) {
    EdgeFamily family = family(parameters);
    if (parameters.all().get(TTL) != null) {
      return family;
    }
    return graph.graphStore().families().stream()
        .filter(each -> each.name().equals(family.name()))
        .findFirst()
        .map(each -> family.withTtl(each.ttlMillis()))
        .orElse(family);
  }

  private static Map<String, Object> row(EdgeFamily family) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(NAME, family.name());
    if (family.ttlMillis() > 0) {
      row.put(TTL, family.ttlMillis());
    }
    if (family.pageCapacity() > 0) {
      row.put(PAGE_CAPACITY, family.pageCapacity());
    }
    if (family.consolidate() > 0) {
      row.put(CONSOLIDATE, family.consolidate());
    }
    if (family.splitOut() > 0) {
      row.put(SPLIT_OUT, family.splitOut());
    }
    if (!family.compression().isEmpty()) {
      row.put(COMPRESSION, family.compression());
    }
    return row;
  }
}
