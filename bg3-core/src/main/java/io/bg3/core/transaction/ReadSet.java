package io.bg3.core.transaction;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceReads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The read set of a transaction: ranges and existence of single keys, by key space; totals with the
 * values they had; texts that had no code. Belongs to one thread.
 */
final class ReadSet {
  /** That a text had no code. */
  record MissingCode(Dictionary.Kind kind, String text) {}

  private final List<SpaceReads> spaces = new ArrayList<>(0);

  // Most transactions have none of these.
  private Set<Integer> totals = Set.of();
  private Set<MissingCode> missing = Set.of();

  /** Notes that the keys and values with {@code low <= key < high} were read. */
  void addRange(int space, byte[] low, byte[] high) {
    ofSpace(space).addRange(low, high);
  }

  /** Notes that a key and its value were read. */
  void addKey(int space, byte[] key) {
    ofSpace(space).addKey(key);
  }

  /** Notes that edge entries of an owner were read, as {@link SpaceReads#addOwner} has it. */
  void addOwner(long owner, int tagLabelLow, int tagLabelHigh) {
    ofSpace(KeySpace.EDGES).addOwner(owner, tagLabelLow, tagLabelHigh);
  }

  /** Notes so of several owners, as {@link SpaceReads#addOwners} has it. */
  void addOwners(long[] owners, int from, int to, int tagLabel) {
    ofSpace(KeySpace.EDGES).addOwners(owners, from, to, tagLabel, tagLabel);
  }

  /** Notes that it was looked whether a key exists. */
  void addExistence(int space, byte[] key, boolean existed) {
    ofSpace(space).addExistence(key, existed);
  }

  /** Whether it is noted that a key exists, if it is one of those that are looked for. */
  boolean knowsExistence(int space, byte[] key) {
    for (int i = 0; i < spaces.size(); i++) {
      if (spaces.get(i).space == space) {
        return spaces.get(i).knowsExistence(key);
      }
    }
    return false;
  }

  /** Notes that a total was read. */
  void addTotal(int counter) {
    if (totals.isEmpty()) {
      totals = new LinkedHashSet<>();
    }
    totals.add(counter);
  }

  /** Notes that a text had no code. */
  void addMissing(Dictionary.Kind kind, String text) {
    if (missing.isEmpty()) {
      missing = new LinkedHashSet<>();
    }
    missing.add(new MissingCode(kind, text));
  }

  /**
   * Notes that this transaction itself has made the code of a text. Where it had found none before,
   * it has seen that nothing carries it, which from now on only all ranges together can say.
   */
  void madeCode(Dictionary.Kind kind, String text) {
    if (!missing.isEmpty()
        && missing.removeIf(each -> each.kind() == kind && each.text().equals(text))) {
      if (kind != Dictionary.Kind.EDGE_LABEL) {
        addRange(TreeIds.VERTICES, null, null);
      }
      if (kind != Dictionary.Kind.VERTEX_LABEL) {
        addRange(KeySpace.EDGES, null, null);
      }
    }
  }

  /** The spaces that were read. */
  List<SpaceReads> spaces() {
    return spaces;
  }

  Collection<Integer> totals() {
    return totals;
  }

  Collection<MissingCode> missing() {
    return missing;
  }

  private SpaceReads ofSpace(int space) {
    for (int i = 0; i < spaces.size(); i++) {
      if (spaces.get(i).space == space) {
        return spaces.get(i);
      }
    }
    SpaceReads reads = new SpaceReads(space);
    spaces.add(reads);
    return reads;
  }
}
