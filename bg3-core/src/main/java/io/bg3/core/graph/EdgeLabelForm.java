package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.RecordReader;
import io.bg3.core.record.RecordWriter;
import io.bg3.storage.format.CorruptionException;

/**
 * The declared properties of the edges with a label. They are declared before the first of them is
 * written and never changes.
 *
 * <p>As bytes:
 *
 * <pre>
 *   u8      flags  1 = loose, 2 = ordered, 4 = the largest sort key first, 8 = counted
 *   varint  code of the sort key's property; with flag 2
 * </pre>
 *
 * @param loose whether the edges belong to their source alone: neither end need exist, removing a
 *     vertex removes none of them, and there is no way from the target to the source
 * @param sortKey the property, a long in every edge, by which the edges of a vertex are kept in
 *     order; null if they are not
 * @param order which of them comes first; ascending where there is no sort key
 * @param counted whether the edges of each source are counted, so that their number is read and not
 *     found by a scan
 */
public record EdgeLabelForm(boolean loose, String sortKey, SortOrder order, boolean counted) {
  private static final int LOOSE = 1;
  private static final int ORDERED = 2;
  private static final int DESCENDING = 4;
  private static final int COUNTED = 8;

  /**
   * A form.
   *
   * @throws IllegalArgumentException if there is an order and no sort key
   */
  public EdgeLabelForm {
    if (order == null || (sortKey == null && order != SortOrder.ASCENDING)) {
      throw new IllegalArgumentException(
          "an order needs a sort key: sortKey=" + sortKey + ", order=" + order);
    }
  }

  /** The form of a label that was never declared. */
  public static EdgeLabelForm plain() {
    return new EdgeLabelForm(false, null, SortOrder.ASCENDING, false);
  }

  /** This form, loose. */
  public EdgeLabelForm asLoose() {
    return new EdgeLabelForm(true, sortKey, order, counted);
  }

  /** This form, ordered by a property. */
  public EdgeLabelForm orderedBy(String property, SortOrder by) {
    return new EdgeLabelForm(loose, property, by, counted);
  }

  /** This form, counted. */
  public EdgeLabelForm asCounted() {
    return new EdgeLabelForm(loose, sortKey, order, true);
  }

  /**
   * The bytes of this form.
   *
   * @param sortKeyCode code of the sort key, if there is one
   */
  byte[] encode(int sortKeyCode) {
    int flags = (loose ? LOOSE : 0) | (counted ? COUNTED : 0);
    RecordWriter to = new RecordWriter();
    if (sortKey == null) {
      return to.u8(flags).toBytes();
    }
    to.u8(flags | ORDERED | (order == SortOrder.DESCENDING ? DESCENDING : 0));
    return to.varint(sortKeyCode).toBytes();
  }

  /** The code of the sort key in an encoded form, 0 if there is none. */
  static int sortKeyCode(byte[] form) {
    RecordReader from = new RecordReader("edge label", form);
    int flags = from.number("flags", 0, LOOSE | ORDERED | DESCENDING | COUNTED);
    int code = (flags & ORDERED) == 0 ? 0 : from.number("sort key", 1, EdgeId.MAX_LABEL);
    from.end();
    if ((flags & (ORDERED | DESCENDING)) == DESCENDING) {
      throw new CorruptionException("edge label", 0, "a sort key where there is an order", "none");
    }
    return code;
  }

  /**
   * The form that was encoded.
   *
   * @param sortKey the text of {@link #sortKeyCode}, null if that is 0
   */
  static EdgeLabelForm decode(byte[] form, String sortKey) {
    int flags = form[0];
    return new EdgeLabelForm(
        (flags & LOOSE) != 0,
        sortKey,
        (flags & DESCENDING) != 0 ? SortOrder.DESCENDING : SortOrder.ASCENDING,
        (flags & COUNTED) != 0);
  }
}
