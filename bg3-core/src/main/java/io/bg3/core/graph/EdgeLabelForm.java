package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.RecordReader;
import io.bg3.core.record.RecordWriter;
import io.bg3.core.transaction.Dictionary;
import io.bg3.storage.format.CorruptionException;
import java.util.StringJoiner;

/**
 * The declared properties of the edges with a label. They are declared before the first of them is
 * written and do not change, except that a label without a time to live may become counted or
 * ordered later.
 *
 * <p>As bytes:
 *
 * <pre>
 *   u8      flags  1 = loose, 2 = ordered, 4 = the largest sort key first, 8 = counted, 16 = TTL,
 *                  32 = counted, and the counters are being built, 64 = became ordered when it had
 *                  edges, whose out-entries hold their records
 *   varint  milliseconds that an edge lives; with flag 16
 *   varint  code of the sort key's property; with flag 2
 *   u8      with flag 64: 0 = it is being verified that edges have the sort key, 1 = the order is
 *                  being built, 2 = it is ready
 * </pre>
 *
 * @param loose whether the edges belong to their source alone: neither end need exist, removing a
 *     vertex removes none of them, and there is no way from the target to the source
 * @param sortKey the property, a long in every edge, by which the edges of a vertex are kept in
 *     order; null if they are not
 * @param order which of them comes first; ascending where there is no sort key
 * @param counted whether the edges of each source are counted, so that their number is read and not
 *     found by a scan
 * @param ttlMillis the time to live: so many milliseconds after it was last written, an edge is
 *     gone; 0 if edges stay. Such edges are not counted, in no total either, and have no ids of the
 *     user's
 * @param family name of the {@link EdgeFamily} that the label is of; null for none. It is no part
 *     of the bytes: the code of the label says it
 */
public record EdgeLabelForm(
    boolean loose,
    String sortKey,
    SortOrder order,
    boolean counted,
    long ttlMillis,
    String family) {
  /** The longest time to live, in milliseconds: about a hundred years. */
  public static final long MOST_TTL_MILLIS = 36_500L * 24 * 60 * 60 * 1_000;

  private static final int LOOSE = 1;
  private static final int ORDERED = 2;
  private static final int DESCENDING = 4;
  private static final int COUNTED = 8;
  private static final int TTL = Dictionary.FORM_TTL;
  private static final int BUILDING = 32;
  private static final int ADDED = 64;
  private static final int ALL = LOOSE | ORDERED | DESCENDING | COUNTED | TTL | BUILDING | ADDED;

  /**
   * A form.
   *
   * @throws IllegalArgumentException if there is an order and no sort key, if the time to live is
   *     out of bounds, or if the edges would be counted although they expire
   */
  public EdgeLabelForm {
    if (order == null || (sortKey == null && order != SortOrder.ASCENDING)) {
      throw new IllegalArgumentException(
          "an order needs a sort key: sortKey=" + sortKey + ", order=" + order);
    }
    if (ttlMillis < 0 || ttlMillis > MOST_TTL_MILLIS) {
      throw new IllegalArgumentException(
          "a time to live must be 1 to "
              + MOST_TTL_MILLIS
              + " milliseconds, or 0 for none: ttl="
              + ttlMillis);
    }
    if (ttlMillis > 0 && counted) {
      throw new IllegalArgumentException(
          "edges with a time to live cannot be counted, since no commit tells a counter that one"
              + " has expired; declare the label without the counter: ttl="
              + ttlMillis);
    }
  }

  /** A form without a time to live. */
  public EdgeLabelForm(boolean loose, String sortKey, SortOrder order, boolean counted) {
    this(loose, sortKey, order, counted, 0, null);
  }

  /** The form of a label that was never declared. */
  public static EdgeLabelForm plain() {
    return new EdgeLabelForm(false, null, SortOrder.ASCENDING, false);
  }

  /** This form, loose. */
  public EdgeLabelForm asLoose() {
    return new EdgeLabelForm(true, sortKey, order, counted, ttlMillis, family);
  }

  /** This form, ordered by a property. */
  public EdgeLabelForm orderedBy(String property, SortOrder by) {
    return new EdgeLabelForm(loose, property, by, counted, ttlMillis, family);
  }

  /** This form, without an order. */
  EdgeLabelForm unordered() {
    return orderedBy(null, SortOrder.ASCENDING);
  }

  /** This form, counted. */
  public EdgeLabelForm asCounted() {
    return new EdgeLabelForm(loose, sortKey, order, true, ttlMillis, family);
  }

  /** This form, with a time to live in milliseconds; 0 for none. */
  public EdgeLabelForm withTtl(long millis) {
    return new EdgeLabelForm(loose, sortKey, order, counted, millis, family);
  }

  /** This form, of a family with a name, whose time to live it has; null for none. */
  public EdgeLabelForm inFamily(String name) {
    return new EdgeLabelForm(loose, sortKey, order, counted, ttlMillis, name);
  }

  /**
   * The bytes of this form.
   *
   * @param sortKeyCode code of the sort key, if there is one
   * @param building whether it is counted and the counters are being built
   * @param added the order that the label has got later; null for none
   */
  byte[] encode(int sortKeyCode, boolean building, AddedOrder added) {
    int flags = (loose ? LOOSE : 0) | (counted ? COUNTED : 0) | (ttlMillis > 0 ? TTL : 0);
    flags |= (building ? BUILDING : 0) | (added == null ? 0 : ADDED);
    if (sortKey != null) {
      flags |= ORDERED | (order == SortOrder.DESCENDING ? DESCENDING : 0);
    }
    RecordWriter to = new RecordWriter().u8(flags);
    if (ttlMillis > 0) {
      to.varint(ttlMillis);
    }
    if (sortKey != null) {
      to.varint(sortKeyCode);
    }
    return added == null ? to.toBytes() : to.u8(added.mark()).toBytes();
  }

  /** The code of the sort key in an encoded form, 0 if there is none. */
  static int sortKeyCode(byte[] form) {
    RecordReader from = new RecordReader("edge label", form);
    int flags = from.number("flags", 0, ALL);
    if ((flags & TTL) != 0) {
      requireTtl(from.varint(), flags);
    }
    if ((flags & (COUNTED | BUILDING)) == BUILDING) {
      throw new CorruptionException("edge label", 0, "counters where they are built", "none");
    }
    int code = (flags & ORDERED) == 0 ? 0 : from.number("sort key", 1, EdgeId.MAX_LABEL);
    if ((flags & ADDED) != 0) {
      from.number("state of the order", 0, AddedOrder.MOST_MARK);
    }
    from.end();
    if ((flags & ORDERED) == 0 && (flags & (DESCENDING | ADDED)) != 0) {
      throw new CorruptionException("edge label", 0, "a sort key where there is an order", "none");
    }
    if ((flags & ADDED) != 0 && (flags & TTL) != 0) {
      throw new CorruptionException("edge label", 0, "an order of edges that stay", "a TTL");
    }
    return code;
  }

  /** The order of an encoded form whose label has got it later; null if it has none. */
  static AddedOrder added(byte[] form) {
    return (form[0] & ADDED) == 0
        ? null
        : AddedOrder.ofMark(sortKeyCode(form), form[form.length - 1]);
  }

  private static void requireTtl(long millis, int flags) {
    if (millis <= 0 || millis > MOST_TTL_MILLIS || (flags & COUNTED) != 0) {
      throw new CorruptionException(
          "edge label",
          1,
          "a time to live of at most " + MOST_TTL_MILLIS + " milliseconds and no counter",
          millis + ", flags " + flags);
    }
  }

  /** Whether an encoded form says that the counters are being built. */
  static boolean isBuilding(byte[] form) {
    return (form[0] & BUILDING) != 0;
  }

  /**
   * The form that was encoded.
   *
   * @param sortKey the text of {@link #sortKeyCode}, null if that is 0
   * @param family the name of the family of the label's code; null if it has none
   */
  static EdgeLabelForm decode(byte[] form, String sortKey, String family) {
    int flags = form[0];
    return new EdgeLabelForm(
        (flags & LOOSE) != 0,
        sortKey,
        (flags & DESCENDING) != 0 ? SortOrder.DESCENDING : SortOrder.ASCENDING,
        (flags & COUNTED) != 0,
        (flags & TTL) == 0 ? 0 : ttl(form),
        family);
  }

  private static long ttl(byte[] form) {
    RecordReader from = new RecordReader("edge label", form);
    from.number("flags", 0, ALL);
    return from.varint();
  }

  /** As the service that declares labels takes it: {@code [sortKey:time, loose:true]}. */
  @Override
  public String toString() {
    StringJoiner said = new StringJoiner(", ", "[", "]").setEmptyValue("plain");
    if (sortKey != null) {
      said.add("sortKey:" + sortKey).add("descending:" + (order == SortOrder.DESCENDING));
    }
    if (loose) {
      said.add("loose:true");
    }
    if (counted) {
      said.add("counted:true");
    }
    if (ttlMillis > 0) {
      said.add("ttl:" + ttlMillis);
    }
    if (family != null) {
      said.add("family:" + family);
    }
    return said.toString();
  }
}
