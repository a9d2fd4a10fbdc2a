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
    if (key.length >= EdgeKey.LENGTH) {
      return new EdgeBound(
          EdgeKey.owner(key),
          EdgeKey.tagLabel(key),
          EdgeKey.other(key),
          EdgeKey.sequence(key),
          key.length > EdgeKey.LENGTH);
    }
    return new EdgeBound(
        Bytes.head(key, EdgeKey.OWNER) ^ Long.MIN_VALUE,
        (int) (Bytes.head(key, EdgeKey.TAG_LABEL) >>> Integer.SIZE),
        Bytes.head(key, EdgeKey.OTHER) ^ Long.MIN_VALUE,
        (int) (Bytes.head(key, EdgeKey.SEQUENCE) >>> Integer.SIZE),
        false);
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
