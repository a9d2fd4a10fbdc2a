package io.bg3.transfer.definitions;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.graph.CounterState;
import io.bg3.core.graph.CounterStatus;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.IndexStatus;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.OrderState;
import io.bg3.core.graph.OrderStatus;
import io.bg3.core.graph.SchemaState;
import io.bg3.core.graph.SchemaStatus;
import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The definitions of an open store. */
public final class StoreDefinitions implements DefinedGraph {
  private final GraphStore store;

  /** The definitions of a store, which the caller closes. */
  public StoreDefinitions(GraphStore store) {
    this.store = store;
  }

  @Override
  public Definitions definitions() {
    return new Definitions(
        store.families(),
        store.declaredEdgeLabels().stream()
            .map(label -> new LabelDefinition(label.name(), label.form()))
            .toList(),
        store.schemas().stream().map(SchemaStatus::schema).toList(),
        store.indexes().stream()
            .filter(index -> index.state() != IndexState.DROPPING)
            .map(index -> new IndexDefinition(index.of(), index.unique()))
            .toList());
  }

  @Override
  public Set<String> labelsInUse(Set<String> labels) {
    Set<String> inUse = new HashSet<>(labels);
    inUse.retainAll(new HashSet<>(store.edgeLabels()));
    return inUse;
  }

  @Override
  public void define(EdgeFamily family) throws TransferException {
    apply("family " + family.name(), () -> store.defineFamily(family));
  }

  @Override
  public void declare(LabelDefinition label) throws TransferException {
    apply("edge label " + label.name(), () -> store.declareEdgeLabel(label.name(), label.form()));
  }

  @Override
  public void define(LabelSchema schema) throws TransferException {
    apply(DefinitionName.of(schema).toString(), () -> store.defineSchema(schema));
  }

  @Override
  public void drop(LabelSchema schema) throws TransferException {
    apply(
        DefinitionName.of(schema).toString(),
        () -> store.dropSchema(schema.kind(), schema.label()));
  }

  @Override
  public void create(IndexDefinition index) throws TransferException {
    apply("index " + index.of(), () -> store.createIndex(index.of(), index.unique()));
  }

  @Override
  public String name() {
    return "the store";
  }

  private static void apply(String definition, Runnable work) throws TransferException {
    try {
      work.run();
    } catch (IllegalArgumentException | IllegalStateException | StoreFailedException e) {
      throw new TransferException(
          "the store refused a definition: definition="
              + definition
              + ", reason="
              + e.getMessage()
              + "\n"
              + "Those before it were applied. Correct it and load again: what was applied stays.",
          e);
    }
  }

  @Override
  public List<DefinitionStatus> statuses() {
    List<DefinitionStatus> statuses = new ArrayList<>();
    store.declaredEdgeLabels().forEach(label -> statuses.add(status(label)));
    store.schemas().forEach(schema -> statuses.add(status(schema)));
    for (IndexStatus index : store.indexes()) {
      statuses.add(
          new DefinitionStatus(
              DefinitionName.of(index.of()), index.unique(), index.isWorking(), index.problem()));
    }
    return statuses;
  }

  private DefinitionStatus status(EdgeLabel label) {
    OrderStatus order = store.order(label);
    CounterStatus counters = store.counters(label);
    String problem = order == null ? null : order.problem();
    if (problem == null && counters != null) {
      problem = counters.problem();
    }
    boolean isOrdered = order == null || order.state() == OrderState.READY;
    boolean isCounted = counters == null || counters.state() == CounterState.READY;
    return DefinitionStatus.of(
        DefinitionName.ofLabel(label.name()),
        order != null && order.state() == OrderState.VERIFYING,
        isOrdered && isCounted,
        problem);
  }

  private static DefinitionStatus status(SchemaStatus schema) {
    return new DefinitionStatus(
        DefinitionName.of(schema.schema()),
        true,
        schema.state() == SchemaState.VERIFYING,
        schema.problem());
  }
}
