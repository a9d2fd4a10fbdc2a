package io.bg3.linkbench.model;

import java.util.Arrays;
import java.util.Comparator;

/**
 * A link: directed, typed, with a payload, and in the order of its time among the links of its
 * source and type. It is known by (id1, type, id2).
 *
 * <p>Immutable; the payload is not copied and must not be changed by anybody.
 */
public final class LinkRow {
  /** The visibility of a link that is kept but neither listed nor counted. */
  public static final byte HIDDEN = 0;

  /** The visibility of a link that is listed and counted. */
  public static final byte VISIBLE = 1;

  /** The newest first; links of one time in the order of their ends. */
  public static final Comparator<LinkRow> NEWEST_FIRST =
      Comparator.comparingLong(LinkRow::time).reversed().thenComparingLong(LinkRow::id2);

  private final long id1;
  private final long type;
  private final long id2;
  private final byte visibility;
  private final int version;
  private final long time;
  private final byte[] data;

  /** A link with all its fields; visibility is {@link #HIDDEN} or {@link #VISIBLE}. */
  public LinkRow(
      long id1, long type, long id2, byte visibility, int version, long time, byte[] data) {
    this.id1 = id1;
    this.type = type;
    this.id2 = id2;
    this.visibility = visibility;
    this.version = version;
    this.time = time;
    this.data = data;
  }

  /** The node it leaves. */
  public long id1() {
    return id1;
  }

  /** Its type. */
  public long type() {
    return type;
  }

  /** The node it enters; there need be none with this id. */
  public long id2() {
    return id2;
  }

  /** {@link #HIDDEN} or {@link #VISIBLE}. */
  public byte visibility() {
    return visibility;
  }

  /** Whether it is listed and counted. */
  public boolean isVisible() {
    return visibility != HIDDEN;
  }

  /** A number that means nothing to the store. */
  public int version() {
    return version;
  }

  /** The sort key of lists, in milliseconds where it is a time. */
  public long time() {
    return time;
  }

  /** Up to 255 bytes of any value. */
  public byte[] data() {
    return data;
  }

  /** This link, hidden. */
  public LinkRow hidden() {
    return new LinkRow(id1, type, id2, HIDDEN, version, time, data);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkRow link
        && id1 == link.id1
        && type == link.type
        && id2 == link.id2
        && visibility == link.visibility
        && version == link.version
        && time == link.time
        && Arrays.equals(data, link.data);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id1 * 31 + id2) * 31 + Long.hashCode(type + time);
  }

  @Override
  public String toString() {
    return "link[id1="
        + id1
        + ", type="
        + type
        + ", id2="
        + id2
        + ", visibility="
        + visibility
        + ", version="
        + version
        + ", time="
        + time
        + ", data="
        + Arrays.toString(data)
        + "]";
  }
}
