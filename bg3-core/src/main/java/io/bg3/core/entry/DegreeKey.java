package io.bg3.core.entry;

/**
 * The keys of an owner's degrees: how many entries it has with one tag and label (R36). They are
 * counters with the label 0, which no edge has, so all of them stand together.
 *
 * <pre>
 *  tag        label  other  sequence
 *  counter    l > 0      0         0   visible edges with the declared label l; none of these
 *  counter    0         -1         0   marker: all degrees of the owner are kept
 *  counter    0        tag+label   0   degree: entries with this tag and label, as unsigned number
 * </pre>
 *
 * <p>A degree of 0 has no entry.
 */
public final class DegreeKey {
  /** Tag and label of degrees and markers. */
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.COUNTER, 0);

  private static final long MARKER = -1;

  private DegreeKey() {}

  /** The key of the number of an owner's entries with this tag and label. */
  public static byte[] of(long owner, int tagLabel) {
    return EdgeKey.encode(owner, TAG_LABEL, Integer.toUnsignedLong(tagLabel), 0);
  }

  /** The bound below the degrees of entries from this tag and label on. */
  public static byte[] from(long owner, int tagLabel) {
    return EdgeKey.prefix(owner, TAG_LABEL, Integer.toUnsignedLong(tagLabel));
  }

  /** The bound above the degrees of entries up to this tag and label. */
  public static byte[] after(long owner, int tagLabel) {
    return EdgeKey.after(from(owner, tagLabel));
  }

  /** The key of the entry that is there while an owner's degrees are kept. */
  public static byte[] marker(long owner) {
    return EdgeKey.encode(owner, TAG_LABEL, MARKER, 0);
  }

  /** The bound below marker and degrees of an owner. */
  public static byte[] first(long owner) {
    return EdgeKey.prefix(owner, TAG_LABEL);
  }

  /** The bound above marker and degrees of an owner. */
  public static byte[] behind(long owner) {
    return EdgeKey.prefix(owner, TAG_LABEL + 1);
  }

  /** Whether entries with this tag and label are degrees or markers. */
  public static boolean isOne(int tagLabel) {
    return tagLabel == TAG_LABEL;
  }

  /** Whether tag, label and other end are those of a marker. */
  public static boolean isMarker(int tagLabel, long other) {
    return isOne(tagLabel) && other == MARKER;
  }

  /** Tag and label of the entries whose degree has this other end; no marker. */
  public static int tagLabel(long other) {
    return (int) other;
  }
}
