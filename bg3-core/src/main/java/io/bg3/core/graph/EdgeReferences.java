package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.record.EdgeId;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.storage.format.UnreadableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The part of {@link GraphCheck} that looks for what edges refer to: the entry under the other end,
 * and both ends. It gathers edges, and looks for them in the order of their keys: of a store that
 * is larger than memory, each leaf is then read once for many edges, together with others, and not
 * once for each edge. It gathers as many edges as fit into a part of the heap.
 *
 * <p>Belongs to one check.
 */
final class EdgeReferences {
  /** Bytes of the heap that a gathered edge takes with its ends, about, without its topology. */
  private static final int EDGE_BYTES = 160;

  /** The part of the heap that gathered edges may take. */
  private static final int SHARE = 8;

  private static final long LEAST = 1 << 20;
  private static final long MOST = 512 << 20;

  private static final Comparator<Reference> BY_TARGET =
      Comparator.<Reference>comparingLong(each -> each.edge.target())
          .thenComparingInt(each -> each.edge.label())
          .thenComparingLong(each -> each.edge.source());

  private static final Comparator<Reference> BY_SOURCE =
      Comparator.<Reference>comparingLong(each -> each.edge.source())
          .thenComparingInt(each -> each.edge.label())
          .thenComparingLong(each -> each.edge.target());

  /** An edge, and what its entry under the target has to say; null if its source is looked for. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Reference(EdgeId edge, byte[] topology) {
    int bytes() {
      return EDGE_BYTES + (topology == null ? 0 : topology.length);
    }
  }

  private final GraphCheck check;
  private final GraphTransaction graph;
  private final Transaction transaction;
  private final long most; // bytes of the gathered edges
  private long bytes;
  private final List<Reference> toTargets = new ArrayList<>();
  private final List<Reference> toSources = new ArrayList<>();

  EdgeReferences(GraphCheck check, GraphTransaction graph) {
    this.check = check;
    this.graph = graph;
    this.transaction = graph.transaction();
    this.most = Math.max(LEAST, Math.min(MOST, Runtime.getRuntime().maxMemory() / SHARE));
  }

  /**
   * Looks for the entry of an edge under its target, and for both ends, now or later.
   *
   * @param topology what the entry has to say
   */
  void toTarget(EdgeId edge, byte[] topology) {
    gather(toTargets, new Reference(edge, topology));
  }

  /** Looks for the entry of an edge under its source, now or later. */
  void toSource(EdgeId edge) {
    gather(toSources, new Reference(edge, null));
  }

  private void gather(List<Reference> references, Reference reference) {
    references.add(reference);
    bytes += reference.bytes();
    if (bytes >= most) {
      finish();
    }
  }

  /** Looks for what has not been looked for yet. */
  void finish() {
    finishTargets();
    finishSources();
    bytes = 0;
  }

  private void finishTargets() {
    toTargets.sort(BY_TARGET);
    look(toTargets, EdgeReferences::underTarget, this::lookUnderTarget);
    lookForEnds();
    toTargets.clear();
  }

  private void finishSources() {
    toSources.sort(BY_SOURCE);
    look(toSources, Edges::underSource, this::lookUnderSource);
    toSources.clear();
  }

  private void look(
      List<Reference> references, Function<EdgeId, byte[]> key, Consumer<Reference> look) {
    for (int i = 0; i < references.size() && !check.isFull(); i++) {
      if (i % LeafPrefetch.TOGETHER == 0) {
        int from = i;
        int count = Math.min(LeafPrefetch.TOGETHER, references.size() - from);
        transaction.prefetchEdges(count, next -> key.apply(references.get(from + next).edge));
      }
      Reference reference = references.get(i);
      try {
        look.accept(reference);
      } catch (UnreadableException e) {
        check.problem("C1", "edge=" + reference.edge + ", " + e.getMessage());
      }
    }
  }

  private static byte[] underTarget(EdgeId edge) {
    return EdgeKey.encode(edge.target(), EdgeTags.in(edge.label()), edge.source(), edge.sequence());
  }

  private void lookUnderTarget(Reference reference) {
    EdgeId edge = reference.edge;
    byte[] other =
        transaction.edgeValue(
            edge.target(), EdgeTags.in(edge.label()), edge.source(), edge.sequence());
    if (other == null) {
      check.problem("C2", "entry under the target is missing: edge=" + edge);
    } else if (!Arrays.equals(other, reference.topology)) {
      check.problem("C2", "the two entries differ: edge=" + edge);
    }
  }

  private void lookUnderSource(Reference reference) {
    if (!graph.edgeExists(reference.edge)) {
      check.problem("C2", "entry under the source is missing: edge=" + reference.edge);
    }
  }

  private void lookForEnds() {
    Set<Long> missing = missingEnds();
    if (missing.isEmpty()) {
      return;
    }
    for (Reference reference : toTargets) {
      EdgeId edge = reference.edge;
      LongStream.of(edge.source(), edge.target())
          .filter(missing::contains)
          .forEach(
              end ->
                  check.problem("C2", "an end does not exist: edge=" + edge + ", vertex=" + end));
    }
  }

  private Set<Long> missingEnds() {
    long[] ends =
        toTargets.stream()
            .flatMapToLong(each -> LongStream.of(each.edge.source(), each.edge.target()))
            .sorted()
            .distinct()
            .toArray();
    Set<Long> missing = new HashSet<>();
    for (int i = 0; i < ends.length && !check.isFull(); i++) {
      graph.prefetchNext(i, ends.length, at -> ends[at]);
      try {
        if (!graph.vertexExists(ends[i])) {
          missing.add(ends[i]);
        }
      } catch (UnreadableException e) {
        check.problem("C1", "vertex=" + ends[i] + ", " + e.getMessage());
      }
    }
    return missing;
  }
}
