package io.bg3.load;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.LabelSchema;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.DefinedGraph;
import io.bg3.transfer.definitions.DefinitionName;
import io.bg3.transfer.definitions.DefinitionStatus;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.LabelDefinition;
import io.bg3.transfer.definitions.MergedDefinitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Applies definitions to a graph around a load of its rows: families and declarations of edge
 * labels before, since they decide where edges stand; schemas before, so that no row that breaks
 * one is committed; indexes after it, since it costs less to build them at once.
 *
 * <p>Threads: one; any other may ask {@link #isBegun} and {@link #missing}.
 */
public final class DefinitionsLoader {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final DefinedGraph graph;
  private final Map<String, Definitions> sources = new LinkedHashMap<>();
  private final Set<String> inUse = new HashSet<>(); // labels that were not declared
  private final Set<DefinitionName> later = new HashSet<>(); // labels that get their form later
  private final Set<DefinitionName> schemasBefore = new HashSet<>();
  private final List<Definitions> merged = new ArrayList<>();
  private volatile boolean begun;
  private volatile List<IndexDefinition> missing = List.of();

  /**
   * A loader of definitions.
   *
   * @param sources definitions by the name of the file, or what else has them
   */
  public DefinitionsLoader(DefinedGraph graph, Map<String, Definitions> sources) {
    this.graph = graph;
    this.sources.putAll(sources);
  }

  /**
   * Compares all definitions with those of the graph and with each other, then applies all but the
   * indexes, and waits until the elements that the graph has were verified.
   *
   * @throws TransferException if a definition differs from one of the graph, and none was applied;
   *     if the graph refuses one; or if the graph has elements that break a schema, which is then
   *     dropped if the graph did not have it before
   */
  public void begin() throws TransferException {
    compare();
    begun = true;
    Map<DefinitionName, LabelSchema> schemas = new LinkedHashMap<>();
    for (Definitions definitions : merged) {
      for (EdgeFamily family : definitions.families()) {
        graph.define(family);
      }
    }
    for (Definitions definitions : merged) {
      for (LabelDefinition label : definitions.labels()) {
        if (!isPlainAnyway(label)) {
          graph.declare(label);
        }
      }
    }
    for (Definitions definitions : merged) {
      for (LabelSchema schema : definitions.schemas()) {
        graph.define(schema);
        schemas.put(DefinitionName.of(schema), schema);
      }
    }
    if (!schemas.isEmpty()) {
      requireKept(schemas);
    }
  }

  /** Compares all definitions before the first is applied (D2). */
  private void compare() throws TransferException {
    if (sources.isEmpty()) {
      return;
    }
    MergedDefinitions all = new MergedDefinitions();
    Definitions there = graph.definitions();
    all.addGraph(graph.name(), there);
    there.schemas().forEach(schema -> schemasBefore.add(DefinitionName.of(schema)));
    for (Map.Entry<String, Definitions> source : sources.entrySet()) {
      merged.add(all.add(source.getKey(), source.getValue()));
    }
    all.check();
    Set<String> undeclared = new HashSet<>();
    merged.forEach(each -> each.labels().forEach(label -> undeclared.add(label.name())));
    there.labels().forEach(label -> undeclared.remove(label.name()));
    if (!undeclared.isEmpty()) {
      inUse.addAll(graph.labelsInUse(undeclared));
    }
    for (String source : sources.keySet()) {
      all.checkUse(source, inUse);
    }
    for (Definitions definitions : merged) {
      for (LabelDefinition label : definitions.labels()) {
        if (inUse.contains(label.name()) || isOther(label, there)) {
          later.add(DefinitionName.of(label));
        }
      }
    }
    missing =
        merged.stream()
            .flatMap(definitions -> definitions.indexes().stream())
            .distinct()
            .filter(index -> !there.indexes().contains(index))
            .toList();
  }

  private static boolean isOther(LabelDefinition label, Definitions there) {
    return there.labels().stream()
        .anyMatch(known -> known.name().equals(label.name()) && !known.equals(label));
  }

  /** Whether {@link #begin} has compared all definitions, and applies them. */
  public boolean isBegun() {
    return begun;
  }

  /** The indexes that the graph does not have before {@link #end}, and still lacks. */
  public List<IndexDefinition> missing() {
    return missing;
  }

  /** Whether a label is in use without a declaration, and its declaration would say no more. */
  private boolean isPlainAnyway(LabelDefinition label) {
    return inUse.contains(label.name()) && label.form().equals(EdgeLabelForm.plain());
  }

  /** Drops the schemas that do not hold, unless the graph had them before. */
  private void requireKept(Map<DefinitionName, LabelSchema> schemas) throws TransferException {
    List<DefinitionStatus> broken = new ArrayList<>();
    for (DefinitionStatus status : await(schemas.keySet())) {
      if (status.problem() != null && schemas.containsKey(status.name())) {
        broken.add(status);
        if (!schemasBefore.contains(status.name())) {
          graph.drop(schemas.get(status.name()));
        }
      }
    }
    if (!broken.isEmpty()) {
      throw new TransferException(
          graph.name()
              + " has elements that break a schema, so no row was loaded: "
              + broken.stream().map(this::said).collect(Collectors.joining("\n  and "))
              + "\nCorrect them, edit the file, or leave the definitions out with"
              + " --no-definitions.");
    }
  }

  private String said(DefinitionStatus broken) {
    return "schema="
        + broken.name().text()
        + ", problem="
        + broken.problem()
        + (schemasBefore.contains(broken.name())
            ? "; it was there before, call('bg3.schema.drop') drops it"
            : "; it was dropped again");
  }

  /**
   * Creates the indexes, and waits until they are built and the labels have become what they were
   * declared as.
   *
   * @return how each index of these definitions ended, and each label that has a problem or that
   *     the graph had in another form
   */
  public List<DefinitionStatus> end() throws TransferException {
    Set<DefinitionName> names = new HashSet<>();
    for (Definitions definitions : merged) {
      for (IndexDefinition index : definitions.indexes()) {
        graph.create(index);
        missing = missing.stream().filter(each -> !each.equals(index)).toList();
        names.add(DefinitionName.of(index.of()));
      }
      for (LabelDefinition label : definitions.labels()) {
        names.add(DefinitionName.of(label));
      }
    }
    return names.isEmpty()
        ? List.of()
        : await(names).stream()
            .filter(status -> names.contains(status.name()) && isReported(status))
            .toList();
  }

  /** A label says nothing if it is new, or was declared with its form before. */
  private boolean isReported(DefinitionStatus status) {
    return status.problem() != null
        || status.name().kind() == DefinitionName.Kind.INDEX
        || later.contains(status.name());
  }

  /** Waits until the graph works on none of these any more, and returns how far all are. */
  private List<DefinitionStatus> await(Set<DefinitionName> names) throws TransferException {
    List<DefinitionStatus> statuses = graph.statuses();
    long pause = PAUSE_NANOS;
    while (statuses.stream()
        .anyMatch(status -> status.isWorking() && names.contains(status.name()))) {
      LockSupport.parkNanos(pause);
      if (Thread.currentThread().isInterrupted()) {
        throw new TransferException(
            "interrupted while definitions were verified or built: graph=" + graph.name());
      }
      pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
      statuses = graph.statuses();
    }
    return statuses;
  }
}
