package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.SchemaVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The indexes at one moment.
 *
 * @param changes {@link SchemaVersion#changes} since they are these
 * @param drops {@link SchemaVersion#drops} since they are these
 * @param maintained commits write their entries
 * @param dropping only their entries are left
 */
record IndexCatalogue(
    long changes, long drops, List<GraphIndex> maintained, List<GraphIndex> dropping) {
  /** Whether an index may have entries of elements with this label, of vertices the first. */
  boolean holds(ElementKind kind, int label) {
    for (GraphIndex index : maintained) {
      if (index.holds(kind, label)) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is an index of edges. */
  boolean hasEdges() {
    for (GraphIndex index : maintained) {
      if (index.isOfEdges()) {
        return true;
      }
    }
    return false;
  }

  /** Adds the keys of the entries that an edge has in all indexes. */
  void addEntries(EdgeId edge, EdgeRecord record, Collection<byte[]> keys) {
    for (GraphIndex index : maintained) {
      if (index.isOfEdges()) {
        index.addEntries(edge, record, keys);
      }
    }
  }

  /** The unique index that an entry belongs to, if commits keep it unique; null if not. */
  GraphIndex enforced(byte[] entry) {
    int number = IndexKey.indexOf(entry);
    for (GraphIndex index : maintained) {
      if (index.number() == number) {
        return index.isEnforced() ? index : null;
      }
    }
    return null;
  }

  /** Whether commits keep an index unique. */
  boolean enforces() {
    for (GraphIndex index : maintained) {
      if (index.isEnforced()) {
        return true;
      }
    }
    return false;
  }

  /** Adds the keys of the entries that a vertex has in all indexes. */
  void addEntries(long vertex, VertexRecord record, Collection<byte[]> keys) {
    for (GraphIndex index : maintained) {
      index.addEntries(vertex, record, keys);
    }
  }

  /** The keys that indexes of some elements have, each list of them once. */
  Set<List<Integer>> keys(ElementKind kind) {
    Set<List<Integer>> keys = new LinkedHashSet<>();
    for (GraphIndex index : maintained) {
      if (index.kind() == kind) {
        keys.add(index.keys());
      }
    }
    return keys;
  }

  /**
   * Indexes of these keys that together hold all elements with one of these labels.
   *
   * @param labels codes; none for all elements
   * @param snapshot finds all their entries
   * @return null if there are none
   */
  List<GraphIndex> covering(ElementKind kind, List<Integer> keys, long snapshot, int... labels) {
    List<GraphIndex> found = new ArrayList<>(1);
    for (int label : labels) {
      GraphIndex index = find(kind, label, keys, snapshot);
      if (index != null) {
        found.add(index);
      }
    }
    if (labels.length > 0 && found.size() == labels.length) {
      return found;
    }
    GraphIndex all = find(kind, 0, keys, snapshot);
    return all == null ? null : List.of(all);
  }

  private GraphIndex find(ElementKind kind, int label, List<Integer> keys, long snapshot) {
    for (GraphIndex index : maintained) {
      if (index.isOf(kind, label, keys)
          && index.state() == IndexState.READY
          && index.readySince() <= snapshot) {
        return index;
      }
    }
    return null;
  }
}
