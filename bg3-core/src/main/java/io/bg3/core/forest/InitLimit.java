package io.bg3.core.forest;

import io.bg3.core.tree.SharedTreeSurvey;
import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * The size that an INIT tree may have: of one that is larger, the owners with the most entries are
 * to move out, though they have fewer than others need for that. Owners with few entries stay, so a
 * tree of many such owners stays larger.
 *
 * <p>Threads: belongs to the one that moves owners.
 */
public final class InitLimit {
  /** Of an owner that moves because its tree is large: this part of what others need. */
  private static final int SHARE = 8;

  private static final int LEAST = 8;

  /** Owners that are moved out of one tree before it is looked at again. */
  private static final int TOGETHER = 64;

  private final Forest forest;
  private final long bytes;
  private final int least;

  /**
   * A limit.
   *
   * @param bytes of the leaves of one INIT tree, in memory and without compression
   * @param entries an owner with more moves in any case
   */
  public InitLimit(Forest forest, long bytes, int entries) {
    this.forest = forest;
    this.bytes = bytes;
    this.least = Math.max(LEAST, entries / SHARE);
  }

  /** An owner that moves because its tree is large has more entries than these. */
  public int least() {
    return least;
  }

  /**
   * The owners with the most entries of each tree that is too large: about as many as it takes to
   * make it small enough, or a part of them. Looks at each page in memory.
   */
  public List<Long> surplus() {
    List<Long> surplus = new ArrayList<>();
    for (Tree tree : forest.initTreesInOrder()) {
      SharedTreeSurvey survey = SharedTreeSurvey.of(tree, least + 1, TOGETHER);
      surplus.addAll(survey.largest(survey.bytes() - bytes)); // none if it is small enough
    }
    return surplus;
  }
}
