package io.bg3.core.record;

import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The out-entry of an edge whose label is ordered: where in the order the edge is, since there its
 * properties are. A hidden edge is not in the order, so it has all of them here.
 *
 * <pre>
 *   u8             flags     1 = hidden, 2 = the user gave the edge an id
 *   signed varint  sort key
 *   with flag 1: an edge record ({@link EdgeRecord}) without the sort key
 * </pre>
 */
public final class OrderedEntry {
  private static final int HIDDEN = 1;
  private static final int NAMED = 2;

  private final byte[] bytes;
  private final int flags;
  private final long sortKey;
  private final int recordAt;

  private OrderedEntry(byte[] bytes) {
    RecordReader from = new RecordReader("ordered edge", bytes);
    this.bytes = bytes;
    flags = from.number("flags", 0, HIDDEN | NAMED);
    sortKey = from.signed();
    recordAt = from.position();
    if (!isHidden()) {
      from.end();
    }
  }

  /**
   * Takes an entry apart; null for null.
   *
   * @throws io.bg3.storage.format.CorruptionException if it is not one
   */
  public static OrderedEntry decode(byte[] bytes) {
    return bytes == null ? null : new OrderedEntry(bytes);
  }

  /** The value of an in-entry whose edge is visible. */
  public static byte[] visible(long sortKey, boolean named) {
    byte[] bytes = new byte[1 + Varints.sizeSigned(sortKey)];
    bytes[0] = (byte) (named ? NAMED : 0);
    Varints.putSigned(ByteBuffer.wrap(bytes, 1, bytes.length - 1), sortKey);
    return bytes;
  }

  /** The value of an in-entry whose edge is hidden, with its record. */
  public static byte[] hidden(long sortKey, boolean named, byte[] record) {
    return new RecordWriter()
        .u8(named ? HIDDEN | NAMED : HIDDEN)
        .signed(sortKey)
        .raw(record)
        .toBytes();
  }

  /**
   * Whether the entry of a decoded edge, perhaps null, is that of a visible, a hidden or no edge.
   */
  public static LinkState state(OrderedEntry entry) {
    return entry == null
        ? LinkState.ABSENT
        : entry.isHidden() ? LinkState.HIDDEN : LinkState.VISIBLE;
  }

  /** Whether the edge is hidden. */
  public boolean isHidden() {
    return (flags & HIDDEN) != 0;
  }

  /** Whether its record has an id that the user gave. */
  public boolean isNamed() {
    return (flags & NAMED) != 0;
  }

  /** The key by which the edge is ordered. */
  public long sortKey() {
    return sortKey;
  }

  /** The record of a hidden edge. */
  public byte[] record() {
    assert isHidden() : sortKey;
    return Arrays.copyOfRange(bytes, recordAt, bytes.length);
  }
}
