package io.bg3.transfer.definitions;

import static io.bg3.transfer.definitions.DefinitionMaps.CLOSED;
import static io.bg3.transfer.definitions.DefinitionMaps.COUNTED;
import static io.bg3.transfer.definitions.DefinitionMaps.DESCENDING;
import static io.bg3.transfer.definitions.DefinitionMaps.FAMILY;
import static io.bg3.transfer.definitions.DefinitionMaps.KEYS;
import static io.bg3.transfer.definitions.DefinitionMaps.KIND;
import static io.bg3.transfer.definitions.DefinitionMaps.LABEL;
import static io.bg3.transfer.definitions.DefinitionMaps.LOOSE;
import static io.bg3.transfer.definitions.DefinitionMaps.SINGLE;
import static io.bg3.transfer.definitions.DefinitionMaps.SORT_KEY;
import static io.bg3.transfer.definitions.DefinitionMaps.SOURCES;
import static io.bg3.transfer.definitions.DefinitionMaps.TARGETS;
import static io.bg3.transfer.definitions.DefinitionMaps.TTL;
import static io.bg3.transfer.definitions.DefinitionMaps.UNIQUE;

import io.bg3.core.graph.ElementKind;
import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Definitions and their states as the services {@code bg3.families.list}, {@code bg3.schema.list}
 * and {@code bg3.index.list} answer.
 */
public final class ServiceDefinitions {
  private static final Set<String> FORM = Set.of(FAMILY, TTL, SORT_KEY, DESCENDING, LOOSE, COUNTED);
  private static final Set<String> SCHEMA = Set.of(KIND, KEYS, CLOSED, SINGLE, SOURCES, TARGETS);
  private static final Set<String> PROGRESS =
      Set.of(
          "order",
          "orderDone",
          "orderProblem",
          "counters",
          "countersDone",
          "countersProblem",
          "state",
          "done",
          "problem",
          "ordered"); // the form of an index that a release has made, and not what was defined

  private static final String READY = "ready";
  private static final String ADVICE =
      "The server may be of another version: use bin/bg3 of that one, or --no-definitions.";

  private final String server;
  private final List<Map<?, ?>> families;
  private final List<Map<?, ?>> schemas;
  private final List<Map<?, ?>> indexes;

  /**
   * The answers of a server.
   *
   * @param server its address, for errors
   */
  public ServiceDefinitions(
      String server, List<Map<?, ?>> families, List<Map<?, ?>> schemas, List<Map<?, ?>> indexes) {
    this.server = server;
    this.families = List.copyOf(families);
    this.schemas = List.copyOf(schemas);
    this.indexes = List.copyOf(indexes);
  }

  /**
   * The definitions.
   *
   * @throws TransferException if an answer has something that is not understood
   */
  public Definitions definitions() throws TransferException {
    DefinitionsReader reader = new DefinitionsReader();
    for (int i = 0; i < families.size(); i++) {
      reader.family(node("bg3.families.list", i, families.get(i)));
    }
    for (int i = 0; i < schemas.size(); i++) {
      if (isDeclared(schemas.get(i))) {
        reader.label(node("bg3.schema.list", i, declaration(schemas.get(i))));
      }
    }
    for (int i = 0; i < schemas.size(); i++) {
      if (schemas.get(i).get("state") != null) {
        reader.schema(node("bg3.schema.list", i, schema(schemas.get(i))));
      }
    }
    for (int i = 0; i < indexes.size(); i++) {
      if (!"dropping".equals(indexes.get(i).get("state"))) {
        reader.index(node("bg3.index.list", i, without(PROGRESS, indexes.get(i))));
      }
    }
    return reader.definitions();
  }

  private Node node(String service, int row, Map<?, ?> answer) {
    Node.Source source = new Node.Source(server + " " + service, ADVICE);
    return Node.of(source, Node.element("", row), answer);
  }

  /** Whether a row of {@code bg3.schema.list} says what an edge label was declared as. */
  private static boolean isDeclared(Map<?, ?> row) {
    return row.get(LOOSE) != null;
  }

  /**
   * The part of a row that says what the label was declared as. What neither part is known to have
   * stays in both, so that the reader refuses it (D1).
   */
  private static Map<String, Object> declaration(Map<?, ?> row) {
    return without(SCHEMA, without(PROGRESS, row));
  }

  private static Map<String, Object> schema(Map<?, ?> row) {
    return without(FORM, without(PROGRESS, row));
  }

  private static Map<String, Object> without(Set<String> names, Map<?, ?> row) {
    Map<String, Object> rest = new LinkedHashMap<>();
    row.forEach(
        (name, value) -> {
          if (!names.contains(name)) {
            rest.put(String.valueOf(name), value);
          }
        });
    return rest;
  }

  /** How far the server is with its labels, schemas and indexes. */
  public List<DefinitionStatus> statuses() {
    List<DefinitionStatus> statuses = new ArrayList<>();
    for (Map<?, ?> row : schemas) {
      if (isDeclared(row)) {
        statuses.add(status(row));
      }
      if (row.get("state") != null) {
        statuses.add(
            new DefinitionStatus(
                DefinitionName.ofSchema(elements(row), label(row.get(LABEL))),
                true,
                "verifying".equals(row.get("state")),
                problem("problem", row)));
      }
    }
    for (Map<?, ?> row : indexes) {
      statuses.add(
          DefinitionStatus.of(
              name(row),
              Boolean.TRUE.equals(row.get(UNIQUE)),
              READY.equals(row.get("state")),
              problem("problem", row)));
    }
    return statuses;
  }

  private static DefinitionStatus status(Map<?, ?> row) {
    String problem = problem("orderProblem", row);
    problem = problem == null ? problem("countersProblem", row) : problem;
    return DefinitionStatus.of(
        DefinitionName.ofLabel(label(row.get(LABEL))),
        "verifying".equals(row.get("order")),
        isReady("order", row) && isReady("counters", row),
        problem);
  }

  /** Whether a label has no such part, or it is ready. */
  private static boolean isReady(String part, Map<?, ?> row) {
    return row.get(part) == null || READY.equals(row.get(part));
  }

  private static String problem(String name, Map<?, ?> row) {
    return row.get(name) == null ? null : String.valueOf(row.get(name));
  }

  private static ElementKind elements(Map<?, ?> row) {
    return DefinitionMaps.text(ElementKind.EDGE).equals(row.get(KIND))
        ? ElementKind.EDGE
        : ElementKind.VERTEX;
  }

  private static String label(Object value) {
    return value == null ? null : value.toString();
  }

  private static DefinitionName name(Map<?, ?> row) {
    List<String> keys = new ArrayList<>();
    if (row.get(KEYS) instanceof List<?> list) {
      list.forEach(key -> keys.add(String.valueOf(key)));
    }
    return new DefinitionName(
        DefinitionName.Kind.INDEX, elements(row), label(row.get(LABEL)), keys);
  }
}
