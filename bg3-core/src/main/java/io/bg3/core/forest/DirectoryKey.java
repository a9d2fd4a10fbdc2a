package io.bg3.core.forest;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.tree.FamilyOwner;
import java.util.Arrays;

/**
 * The key of an entry of the DIRECTORY tree: the owner that has a dedicated tree, and for entries
 * of which family.
 *
 * <pre>
 *  offset  size  field
 *       0     8  owner   as the keys of its entries begin
 *       8     1  family  absent for the tree of entries without a family
 * </pre>
 *
 * <p>So the entries of an owner are adjacent, and stores without such families have the keys that
 * they had before there were any.
 */
public final class DirectoryKey {
  private static final int FAMILY = Long.BYTES;
  private static final int LENGTH = FAMILY + 1;

  private DirectoryKey() {}

  static byte[] of(FamilyOwner owner) {
    byte[] key = EdgeKey.prefix(owner.owner());
    if (owner.family() == 0) {
      return key;
    }
    byte[] withFamily = Arrays.copyOf(key, LENGTH);
    withFamily[FAMILY] = (byte) owner.family();
    return withFamily;
  }

  /** The bound above this key and below all others that follow it; null if none can. */
  static byte[] after(FamilyOwner owner) {
    return owner.family() == 0 ? of(new FamilyOwner(owner.owner(), 1)) : EdgeKey.after(of(owner));
  }

  /** The owner and family of a valid key. */
  public static FamilyOwner decode(byte[] key) {
    return new FamilyOwner(EdgeKey.owner(key), family(key));
  }

  static int family(byte[] key) {
    return key.length == LENGTH ? key[FAMILY] & 0xFF : 0;
  }

  static boolean isValid(byte[] key) {
    return key.length == FAMILY || (key.length == LENGTH && key[FAMILY] != 0);
  }
}
