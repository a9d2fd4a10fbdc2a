package io.bg3.core.page;

/**
 * A key of an edge leaf, or a bound between two keys, taken apart. Bytes that a shorter bound lacks
 * are zero, since that is the smallest key that begins with it.
 *
 * @param after whether the bound stands behind the entry of these numbers instead of before it,
 *     because its bytes go on
 */
record EdgeBound(long owner, int tagLabel, long other, int sequence, boolean after) {
  static EdgeBound of(byte[] key) {
    byte[] whole =
        key.length >= EdgeKey.LENGTH ? key : java.util.Arrays.copyOf(key, EdgeKey.LENGTH);
    return new EdgeBound(
        EdgeKey.owner(whole),
        EdgeKey.tagLabel(whole),
        EdgeKey.other(whole),
        EdgeKey.sequence(whole),
        key.length > EdgeKey.LENGTH);
  }

  /**
   * Whether every key at or above {@code low} and below this bound has the owner of {@code low}.
   */
  boolean endsWithin(EdgeBound low) {
    if (owner == low.owner) {
      return true;
    }
    return owner - 1 == low.owner
        && owner != Long.MIN_VALUE
        && tagLabel == 0
        && other == Long.MIN_VALUE
        && sequence == 0
        && !after;
  }
}
