package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import java.util.Arrays;
import java.util.Objects;

/**
 * The header of a page: its identity, and the range of keys that it owns.
 *
 * @param pageId number of the page in the page table, not 0
 * @param treeId tree the page belongs to
 * @param low smallest key the page may hold, null without a lower limit
 * @param high smallest key above the page, null without an upper limit
 * @param rightSibling page that holds {@code high}, 0 if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
public record PageFrame(int pageId, int treeId, byte[] low, byte[] high, int rightSibling) {
  /** Checks that the fences are in order. */
  public PageFrame {
    if (low != null && high != null && Arrays.compareUnsigned(low, high) >= 0) {
      throw new IllegalArgumentException(
          "fences out of order: low="
              + Bytes.text(low)
              + ", high="
              + Bytes.text(high)
              + ", page="
              + pageId);
    }
    if ((high == null) != (rightSibling == 0)) {
      throw new IllegalArgumentException(
          "a page has a right sibling if and only if it has a high fence: high="
              + Bytes.text(high)
              + ", rightSibling="
              + rightSibling
              + ", page="
              + pageId);
    }
  }

  /** Whether the key lies between the fences. */
  public boolean covers(byte[] key) {
    return (low == null || Arrays.compareUnsigned(low, key) <= 0)
        && (high == null || Arrays.compareUnsigned(key, high) < 0);
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof PageFrame frame
        && pageId == frame.pageId
        && treeId == frame.treeId
        && rightSibling == frame.rightSibling
        && Arrays.equals(low, frame.low)
        && Arrays.equals(high, frame.high);
  }

  @Override
  public int hashCode() {
    return Objects.hash(pageId, treeId, rightSibling, Arrays.hashCode(low), Arrays.hashCode(high));
  }

  @Override
  public String toString() {
    return "PageFrame[page=%d, tree=%d, low=%s, high=%s, right=%d]"
        .formatted(pageId, treeId, Bytes.text(low), Bytes.text(high), rightSibling);
  }
}
