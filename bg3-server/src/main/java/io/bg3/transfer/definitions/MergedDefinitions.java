package io.bg3.transfer.definitions;

import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The definitions of several sources together: those of a store, and of the files that are loaded
 * into it. Two sources may define the same alike (D2, D3).
 *
 * <p>Threads: one.
 */
public final class MergedDefinitions {
  private static final String EDIT_OR_LEAVE_OUT =
      "edit the file, or leave the definitions out with --no-definitions.";

  /** A definition and the source that had it first. */
  private record Sourced<D>(D definition, String source) {}

  private final Map<String, Sourced<EdgeFamily>> families = new LinkedHashMap<>();
  private final Map<String, Sourced<LabelDefinition>> labels = new LinkedHashMap<>();
  private final Map<DefinitionName, Sourced<LabelSchema>> schemas = new LinkedHashMap<>();
  private final Map<IndexedKeys, Sourced<IndexDefinition>> indexes = new LinkedHashMap<>();
  private final Map<String, EdgeLabelForm> growing = new HashMap<>(); // of the graph, by label
  private int familiesBefore;

  /**
   * Adds the definitions of the graph, before those of other sources. A later source may add an
   * order or counters to a label of the graph. The graph lacks an order that was declared while an
   * edge had no sort key.
   *
   * @param source a name for messages
   */
  public void addGraph(String source, Definitions there) throws TransferException {
    add(source, there);
    there.labels().forEach(label -> growing.put(label.name(), label.form()));
    familiesBefore = families.size();
  }

  /**
   * Adds the definitions of a source.
   *
   * @param source a name for messages, such as {@code the store}, or a file
   * @return the same definitions; where an earlier source has one alike, as that has it
   * @throws TransferException if one of them differs from that of an earlier source
   */
  public Definitions add(String source, Definitions more) throws TransferException {
    List<EdgeFamily> addedFamilies = new ArrayList<>();
    for (EdgeFamily family : more.families()) {
      String advice =
          "A family stays for good; bg3.families.change changes its settings, except the time to"
              + " live. Load into an empty store, ";
      Sourced<EdgeFamily> sourced = new Sourced<>(family, source);
      addedFamilies.add(
          add("family", family.name(), sourced, families, EdgeFamily::equals, advice));
    }
    List<LabelDefinition> addedLabels = new ArrayList<>();
    for (LabelDefinition label : more.labels()) {
      String advice = "A label is declared for good. Load into an empty store, ";
      if (canBecome(label)) {
        growing.remove(label.name());
        labels.remove(label.name());
      }
      Sourced<LabelDefinition> sourced = new Sourced<>(label, source);
      addedLabels.add(
          add("edge label", label.name(), sourced, labels, LabelDefinition::equals, advice));
    }
    List<LabelSchema> addedSchemas = new ArrayList<>();
    for (LabelSchema schema : more.schemas()) {
      String advice = "Drop the schema of the store, ";
      Sourced<LabelSchema> sourced = new Sourced<>(schema, source);
      addedSchemas.add(
          add(
              "schema",
              DefinitionName.of(schema),
              sourced,
              schemas,
              MergedDefinitions::isAlike,
              advice));
    }
    List<IndexDefinition> addedIndexes = new ArrayList<>();
    for (IndexDefinition index : more.indexes()) {
      String advice = "Drop the index of the store, ";
      Sourced<IndexDefinition> sourced = new Sourced<>(index, source);
      addedIndexes.add(add("index", index.of(), sourced, indexes, IndexDefinition::equals, advice));
    }
    return new Definitions(addedFamilies, addedLabels, addedSchemas, addedIndexes);
  }

  /** Whether the graph has a label that lacks an order or counters alone to be as this one. */
  private boolean canBecome(LabelDefinition label) {
    EdgeLabelForm there = growing.get(label.name());
    if (there == null || there.equals(label.form()) || there.ttlMillis() > 0) {
      return false;
    }
    EdgeLabelForm form = label.form();
    if (there.sortKey() == null && form.sortKey() != null) {
      there = there.orderedBy(form.sortKey(), form.order());
    }
    return (form.counted() ? there.asCounted() : there).equals(form);
  }

  private static <K, D> D add(
      String kind,
      K name,
      Sourced<D> added,
      Map<K, Sourced<D>> all,
      BiPredicate<D, D> isAlike,
      String advice)
      throws TransferException {
    Sourced<D> there = all.putIfAbsent(name, added);
    if (there == null) {
      return added.definition;
    }
    if (!isAlike.test(there.definition, added.definition)) {
      throw new TransferException(
          "definitions differ: "
              + kind
              + "="
              + (name instanceof DefinitionName of ? of.text() : name)
              + "\n  "
              + said(added)
              + "\n  "
              + said(there)
              + "\nNothing was loaded. "
              + advice
              + EDIT_OR_LEAVE_OUT);
    }
    return there.definition;
  }

  /** The order of keys does not matter. */
  private static boolean isAlike(LabelSchema one, LabelSchema other) {
    return one.closed() == other.closed()
        && one.single() == other.single()
        && one.ends().equals(other.ends())
        && new HashSet<>(one.keys()).equals(new HashSet<>(other.keys()));
  }

  /**
   * Checks that definitions of different labels and sources fit together.
   *
   * @throws TransferException if a schema names the ends of a loose label, an index has edges that
   *     expire, or there are too many
   */
  public void check() throws TransferException {
    try {
      checkCounts();
    } catch (LimitExceededException e) {
      throw new TransferException(
          "too many definitions: "
              + e.getMessage()
              + "\nNothing was loaded. Load into an empty store, "
              + EDIT_OR_LEAVE_OUT,
          e);
    }
    for (Sourced<LabelDefinition> label : labels.values()) {
      String name = label.definition.name();
      Sourced<LabelSchema> schema = schemas.get(DefinitionName.ofSchema(ElementKind.EDGE, name));
      if (label.definition.form().loose()
          && schema != null
          && !schema.definition.with(AllowedEnds.any()).equals(schema.definition)) {
        throw excluded("the schema of a loose label cannot have sources or targets", label, schema);
      }
      if (label.definition.form().ttlMillis() > 0) {
        for (Sourced<IndexDefinition> index : indexes.values()) {
          IndexedKeys of = index.definition.of();
          if (of.kind() == ElementKind.EDGE && (of.label() == null || of.label().equals(name))) {
            throw excluded("an index cannot hold edges with a time to live", label, index);
          }
        }
      }
    }
  }

  private void checkCounts() {
    Limit.INDEXES.check(indexes.size());
    Limit.SCHEMAS.check(schemas.size());
    if (families.size() > familiesBefore) { // otherwise no number is needed
      Set<Long> numbered = new HashSet<>();
      for (EdgeLabelForm form : growing.values()) {
        if (form.ttlMillis() > 0 && form.family() == null) {
          numbered.add(form.ttlMillis());
        }
      }
      Limit.FAMILIES.check((long) families.size() + numbered.size());
    }
  }

  private static TransferException excluded(String rule, Sourced<?> one, Sourced<?> other) {
    return new TransferException(
        "definitions contradict each other: "
            + rule
            + "\n  "
            + said(one)
            + "\n  "
            + said(other)
            + "\nNothing was loaded. Load into an empty store, "
            + EDIT_OR_LEAVE_OUT);
  }

  /**
   * Checks that the labels of a source can still get their forms.
   *
   * @param source as it was added
   * @param inUse the labels that are in use; one of them that was not declared can become ordered
   *     and counted, and nothing else
   */
  public void checkUse(String source, Set<String> inUse) throws TransferException {
    for (Sourced<LabelDefinition> label : labels.values()) {
      LabelDefinition definition = label.definition;
      boolean isLater =
          !definition.form().loose()
              && definition.form().ttlMillis() == 0
              && definition.form().family() == null;
      if (label.source.equals(source) && inUse.contains(definition.name()) && !isLater) {
        throw new TransferException(
            "the edge label is in use without a declaration, so it can only become ordered or"
                + " counted: label="
                + definition.name()
                + "\n  "
                + said(label)
                + "\nNothing was loaded. Load into an empty store, "
                + EDIT_OR_LEAVE_OUT);
      }
    }
  }

  private static String said(Sourced<?> sourced) {
    return sourced.source + ": " + text(sourced.definition);
  }

  private static String text(Object definition) {
    if (definition instanceof EdgeFamily family) {
      return DefinitionMaps.of(family).toString();
    } else if (definition instanceof LabelDefinition label) {
      return DefinitionMaps.of(label).toString();
    } else if (definition instanceof LabelSchema schema) {
      return DefinitionMaps.of(schema).toString();
    }
    return DefinitionMaps.of((IndexDefinition) definition).toString();
  }
}
