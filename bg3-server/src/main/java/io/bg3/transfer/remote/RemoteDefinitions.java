package io.bg3.transfer.remote;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.LabelSchema;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.DefinedGraph;
import io.bg3.transfer.definitions.DefinitionMaps;
import io.bg3.transfer.definitions.DefinitionName;
import io.bg3.transfer.definitions.DefinitionStatus;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.LabelDefinition;
import io.bg3.transfer.definitions.ServiceDefinitions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The definitions of the graph of a server, by the services {@code bg3.families.*}, {@code
 * bg3.schema.*} and {@code bg3.index.*}. A user who may read may read them, one who may write may
 * extend them.
 */
public final class RemoteDefinitions implements DefinedGraph {
  private final RemoteGraph graph;

  /** The definitions of a graph; the caller closes {@code graph}. */
  public RemoteDefinitions(RemoteGraph graph) {
    this.graph = graph;
  }

  @Override
  public Definitions definitions() throws TransferException {
    return answers().definitions();
  }

  @Override
  public List<DefinitionStatus> statuses() throws TransferException {
    return answers().statuses();
  }

  private ServiceDefinitions answers() throws TransferException {
    return new ServiceDefinitions(
        graph.toString(),
        listed("bg3.families.list"),
        listed("bg3.schema.list"),
        listed("bg3.index.list"));
  }

  private List<Map<?, ?>> listed(String service) throws TransferException {
    try {
      return graph.g().<Map<?, ?>>call(service).toList();
    } catch (RuntimeException e) {
      throw new TransferException(
          "the server does not send its definitions: address="
              + graph
              + ", service="
              + service
              + ", reason="
              + RemoteGraph.reason(e)
              + "\n--no-definitions goes on without them.",
          RemoteGraph.root(e));
    }
  }

  /** The labels that an edge has, which is looked for label by label, a schema or an index. */
  @Override
  public Set<String> labelsInUse(Set<String> labels) throws TransferException {
    Set<String> inUse = new HashSet<>();
    Definitions there = definitions();
    for (LabelSchema schema : there.schemas()) {
      if (schema.kind() == ElementKind.EDGE) {
        inUse.add(schema.label());
      }
    }
    for (IndexDefinition index : there.indexes()) {
      if (index.of().kind() == ElementKind.EDGE && index.of().label() != null) {
        inUse.add(index.of().label());
      }
    }
    inUse.retainAll(labels);
    for (String label : labels) {
      if (!inUse.contains(label) && hasEdge(label)) {
        inUse.add(label);
      }
    }
    return inUse;
  }

  @Override
  public String name() {
    return "the server " + graph;
  }

  private boolean hasEdge(String label) throws TransferException {
    try {
      return graph.g().E().hasLabel(label).limit(1).count().next() > 0;
    } catch (RuntimeException e) {
      throw new TransferException(
          "the server does not answer whether edges have a label: address="
              + graph
              + ", label="
              + label
              + ", reason="
              + RemoteGraph.reason(e)
              + "\nTry again, or load with --no-definitions.",
          RemoteGraph.root(e));
    }
  }

  @Override
  public void define(EdgeFamily family) throws TransferException {
    call("bg3.families.define", "family " + family.name(), DefinitionMaps.of(family));
  }

  @Override
  public void declare(LabelDefinition label) throws TransferException {
    call("bg3.schema.define", "edge label " + label.name(), DefinitionMaps.declaration(label));
  }

  @Override
  public void define(LabelSchema schema) throws TransferException {
    call("bg3.schema.define", DefinitionName.of(schema).toString(), DefinitionMaps.of(schema));
  }

  @Override
  public void drop(LabelSchema schema) throws TransferException {
    call("bg3.schema.drop", DefinitionName.of(schema).toString(), DefinitionMaps.dropped(schema));
  }

  @Override
  public void create(IndexDefinition index) throws TransferException {
    call("bg3.index.create", "index " + index.of(), DefinitionMaps.of(index));
  }

  private void call(String service, String definition, Map<String, Object> parameters)
      throws TransferException {
    try {
      graph.g().call(service, parameters).iterate();
    } catch (RuntimeException e) {
      throw new TransferException(
          "the server refused a definition: definition="
              + definition
              + ", address="
              + graph
              + ", reason="
              + RemoteGraph.reason(e)
              + "\n"
              + "Those before it were applied. Correct it and load again: what was applied stays.",
          RemoteGraph.root(e));
    }
  }
}
