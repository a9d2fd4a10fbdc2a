package io.bg3.linkbench.engine;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.SortOrder;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A BG3 store with LinkBench's graph in it. A node is a vertex with its id, labelled with its type
 * in digits; a link is an edge labelled with its type in digits; their other fields are properties
 * by name. Edges are out-only, so that neither end need exist, and removing a node leaves its
 * links; visible ones are kept in the order of {@code time}, newest first, and counted.
 *
 * <p>Threads: any.
 */
public final class EngineDatabase implements LinkDatabase {
  /** The property that a link's fields and a node's fields of that name are kept in. */
  static final String TIME = "time";

  static final String VERSION = "version";
  static final String DATA = "data";

  private static final EdgeLabelForm FORM =
      EdgeLabelForm.plain().asLoose().orderedBy(TIME, SortOrder.DESCENDING).asCounted();

  /** The name of the ids, by which the server's services find them too. */
  private static final String NODE_IDS = "linkbench.nodes";

  private final Bg3 store;
  private final GraphStore graph;
  private final DenseVertexIds ids;
  private final int version;
  private final int data;
  private final Map<Long, EdgeLabel> labels = new ConcurrentHashMap<>();

  private EngineDatabase(Bg3 store) {
    this.store = store;
    this.graph = store.graph();
    this.version = graph.makePropertyKey(VERSION);
    this.data = graph.makePropertyKey(DATA);
    this.ids = new DenseVertexIds(graph, NODE_IDS);
  }

  /**
   * Opens the store of the settings' directory, and makes it if it is not there.
   *
   * @throws LinkStoreException if that fails; the cause says why
   */
  public static EngineDatabase open(Settings settings) {
    try {
      Bg3 store = Bg3.open(settings);
      try {
        return new EngineDatabase(store);
      } catch (RuntimeException | Error e) {
        store.close();
        throw e;
      }
    } catch (IOException | CorruptionException e) {
      throw new LinkStoreException(
          "cannot open the store: directory=" + settings.text(Setting.DIRECTORY), e);
    }
  }

  GraphStore graph() {
    return graph;
  }

  DenseVertexIds ids() {
    return ids;
  }

  /** Code of the property that holds a link's version. */
  int version() {
    return version;
  }

  /** Code of the property that holds a link's payload. */
  int data() {
    return data;
  }

  /** The label of a type, declared if it is not yet. */
  EdgeLabel label(long type) {
    EdgeLabel label = labels.get(type);
    return label != null ? label : labels.computeIfAbsent(type, this::declare);
  }

  /** The label of a type; null if there never was a link of it. */
  EdgeLabel knownLabel(long type) {
    EdgeLabel label = labels.get(type);
    if (label == null) {
      label = graph.declaredEdgeLabel(Long.toString(type));
      if (label != null) {
        labels.put(type, label);
      }
    }
    return label;
  }

  private EdgeLabel declare(long type) {
    return graph.declareEdgeLabel(Long.toString(type), FORM);
  }

  @Override
  public LinkSession session() {
    return new EngineSession(this);
  }

  @Override
  public String describe() {
    Settings settings = store.settings();
    StringBuilder text = new StringBuilder("bg3, in this process:");
    for (Setting setting : Setting.values()) {
      if (settings.isSet(setting) || setting == Setting.DURABILITY) {
        text.append(' ').append(setting.key()).append('=').append(settings.text(setting));
      }
    }
    return text.toString();
  }

  @Override
  public void settle() {
    try {
      store.checkpoint();
    } catch (IOException e) {
      throw new LinkStoreException("cannot write a checkpoint", e);
    }
  }

  @Override
  public long bytesOnDisk() {
    String directory = store.settings().text(Setting.DIRECTORY);
    return directory.isEmpty() ? -1 : StoreFiles.bytes(directory);
  }

  @Override
  public long checkpoints() {
    return store.stats().checkpoints();
  }

  @Override
  public void close() {
    try {
      ids.settle();
    } finally {
      closeStore();
    }
  }

  private void closeStore() {
    try {
      store.close();
    } catch (IOException e) {
      throw new LinkStoreException(
          "cannot close the store: directory=" + store.settings().text(Setting.DIRECTORY), e);
    }
  }
}
