package io.bg3.core.forest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The value of an entry of the DIRECTORY tree: where an owner's dedicated tree is. Little-endian.
 *
 * <pre>
 *  offset  size  field
 *       0     4  tree   its number
 *       4     4  root   its root page
 * </pre>
 */
final class DirectoryRow {
  private static final int LENGTH = 8;

  private DirectoryRow() {}

  static byte[] encode(int tree, int root) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    return out.putInt(tree).putInt(root).array();
  }

  /** Number and root, as in a row of the {@link Directory}; {@link Directory#ABSENT} if damaged. */
  static long decode(byte[] value) {
    if (value.length != LENGTH) {
      return Directory.ABSENT;
    }
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return pack(in.getInt(), in.getInt());
  }

  /** The number of the tree that a row names. */
  static int tree(long row) {
    return (int) (row >>> Integer.SIZE);
  }

  /** The root page of the tree that a row names. */
  static int root(long row) {
    return (int) row;
  }

  static long pack(int tree, int root) {
    return (long) tree << Integer.SIZE | Integer.toUnsignedLong(root);
  }
}
