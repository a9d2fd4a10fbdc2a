package io.bg3.core.graph;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a check that compares the degrees that are kept with what a scan counts (C11). Used
 * once, by one thread.
 */
final class DegreesCheck {
  private final GraphCheck check;
  private final Transaction transaction;

  /** Entries of the owner so far, by tag and label. */
  private final Map<Integer, Long> counted = new TreeMap<>();

  private long owner;
  private boolean marked;

  DegreesCheck(GraphCheck check, Transaction transaction) {
    this.check = check;
    this.transaction = transaction;
  }

  void run() {
    try (EdgeCursor cursor = transaction.allEdges(Transaction.ANY_TAG, false)) {
      while (!check.full() && cursor.next()) {
        if (cursor.owner() != owner) {
          endOwner();
          owner = cursor.owner();
        }
        int tagLabel = cursor.tagLabel();
        if (EdgeKey.hasTtl(tagLabel)) {
          continue; // in no degree
        }
        if (EdgeTags.tag(tagLabel) != EdgeTags.COUNTER) {
          counted.merge(tagLabel, 1L, Long::sum);
        } else if (DegreeKey.isMarker(tagLabel, cursor.other())) {
          marked = true;
        } else if (DegreeKey.isOne(tagLabel)) {
          counted.putIfAbsent(DegreeKey.tagLabel(cursor.other()), 0L);
        }
      }
      endOwner();
    }
  }

  /** A marker counts only while the owner has a tree of its own: there is no degree without. */
  private void endOwner() {
    if (marked) {
      counted.forEach(this::compare);
    }
    counted.clear();
    marked = false;
  }

  private void compare(int tagLabel, long found) {
    long kept = transaction.degree(owner, tagLabel, tagLabel);
    if (kept >= 0 && kept != found) {
      check.problem(
          "C11",
          "degree: vertex="
              + owner
              + ", tag="
              + EdgeTags.tag(tagLabel)
              + ", label="
              + EdgeTags.label(tagLabel)
              + ", kept="
              + kept
              + ", counted="
              + found);
    }
  }
}
