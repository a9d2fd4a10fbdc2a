package io.bg3.core.entry;

/**
 * A key of an edge leaf, or a bound between two keys, taken apart. Bytes that a shorter bound lacks
 * are zero, since that is the smallest key that begins with it.
 *
 * @param sortKey 0 where keys with this tag have none
 * @param after whether the bound stands behind the entry of these numbers instead of before it,
 *     because its bytes go on
 */
public record EdgeBound(
    long owner, int tagLabel, long sortKey, long other, int sequence, boolean after) {
  /** Takes a key, or the beginning of one, apart. */
  public static EdgeBound of(byte[] key) {
    int tagLabel = (int) (Bytes.head(key, EdgeKey.TAG_LABEL) >>> Integer.SIZE);
    int length = EdgeKey.length(tagLabel);
    if (key.length >= length) {
      return new EdgeBound(
          EdgeKey.owner(key),
          tagLabel,
          EdgeKey.isIndex(tagLabel) ? EdgeKey.sortKey(key) : 0,
          EdgeKey.other(key),
          EdgeKey.sequence(key),
          key.length > length);
    }
    int shift = length - EdgeKey.LENGTH;
    return new EdgeBound(
        Bytes.head(key, EdgeKey.OWNER) ^ Long.MIN_VALUE,
        tagLabel,
        shift == 0 ? 0 : Bytes.head(key, EdgeKey.SORT_KEY) ^ Long.MIN_VALUE,
        Bytes.head(key, EdgeKey.OTHER + shift) ^ Long.MIN_VALUE,
        (int) (Bytes.head(key, EdgeKey.SEQUENCE + shift) >>> Integer.SIZE),
        false);
  }

  /**
   * Whether every key at or above {@code low} and below this bound has the owner of {@code low}.
   */
  public boolean endsWithin(EdgeBound low) {
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
