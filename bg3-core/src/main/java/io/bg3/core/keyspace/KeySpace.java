package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys as transactions see them, which know no trees: a space is a set of keys in one order, all
 * edges together being space 0 and every byte-key tree a space of its own. Says which stripe a key
 * belongs to and what to call it.
 *
 * <p>Edges, and the trees whose keys begin with a vertex id, belong to the stripe of that vertex,
 * so that all ranges within one vertex lie in one stripe. An entry of a property index belongs to
 * the stripe of its index and first value: so all elements with one value lie in one stripe, and a
 * transaction that looks for a value locks out all that give it to an element. Of a number, no more
 * counts than the nearest double, since what equals it is looked for by that. In the other trees
 * every key has a stripe of its own.
 */
public final class KeySpace {
  /** The space of all edge entries. */
  public static final int EDGES = 0;

  /** The kind of an index entry's value that is told from none, behind the number of the index. */
  private static final byte UNTOLD_KIND = 8;

  /** The kind of a number; a value of any other kind ends with the first 0. */
  private static final byte NUMBER_KIND = 16;

  private static final int NUMBER_END = Integer.BYTES + 1 + Long.BYTES;

  private static final int[] OWNED = {
    EDGES, TreeIds.VERTICES, TreeIds.EXTERNAL_OF, TreeIds.PROPERTIES
  };

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeySpace() {}

  /** The spaces whose keys belong to a vertex; a copy. */
  public static int[] owned() {
    return OWNED.clone();
  }

  /** The space of a byte-key tree. */
  public static int ofTree(int tree) {
    if (tree <= EDGES) {
      throw new IllegalArgumentException("no byte-key tree: tree=" + tree);
    }
    return tree;
  }

  /** Whether keys of this space belong to the vertex in their first 8 bytes. */
  public static boolean isOwned(int space) {
    return switch (space) {
      case EDGES, TreeIds.VERTICES, TreeIds.EXTERNAL_OF, TreeIds.PROPERTIES -> true;
      default -> false;
    };
  }

  /** The hash that chooses the stripe of a key. */
  public static long stripeHash(int space, byte[] key) {
    if (isOwned(space) && key.length >= Long.BYTES) {
      return (long) LONGS.get(key, 0);
    }
    int first = space == TreeIds.INDEX_ENTRIES ? firstValueEnd(key) : 0;
    int length = first == 0 ? key.length : first;
    long hash = space;
    for (int i = 0; i < length; i++) {
      hash = hash * 0x100000001B3L + (key[i] & 0xFF);
    }
    return hash ^ hash >>> 29;
  }

  /** Whether all keys with {@code low <= key < high} belong to one stripe, that of {@code low}. */
  public static boolean isOneStripe(int space, byte[] low, byte[] high) {
    if (low == null || high == null) {
      return false;
    }
    if (space == TreeIds.INDEX_ENTRIES) {
      return haveOneFirstValue(low, high);
    }
    if (!isOwned(space)) {
      return isSuccessor(low, high);
    }
    if (low.length < Long.BYTES) {
      return false;
    }
    int shared = Arrays.mismatch(low, 0, Long.BYTES, high, 0, Math.min(Long.BYTES, high.length));
    return shared < 0 || isNextOwner(low, high);
  }

  /**
   * The bytes of an index entry's key, or of a bound of such keys, up to the end of its first
   * value, of a number up to the nearest double; 0 if it has no whole one.
   */
  private static int firstValueEnd(byte[] entry) {
    if (entry.length <= Integer.BYTES) {
      return 0;
    }
    return switch (entry[Integer.BYTES]) {
      case UNTOLD_KIND -> Integer.BYTES + 1;
      case NUMBER_KIND -> entry.length < NUMBER_END ? 0 : NUMBER_END;
      default -> endOfText(entry);
    };
  }

  private static int endOfText(byte[] entry) {
    for (int i = Integer.BYTES + 1; i < entry.length; i++) {
      if (entry[i] == 0) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Whether all entries from {@code low} on below {@code high} have one first value. */
  private static boolean haveOneFirstValue(byte[] low, byte[] high) {
    int end = firstValueEnd(low);
    return end > 0 && high.length >= end && Arrays.mismatch(low, 0, end, high, 0, end) < 0;
  }

  /**
   * Whether {@code high} is the bound above all keys of the vertex that {@code low} begins with. It
   * may be shorter than an id, when that ends in zeros, but not longer: the next vertex itself
   * would lie below it.
   */
  private static boolean isNextOwner(byte[] low, byte[] high) {
    long owner = (long) LONGS.get(low, 0);
    return high.length <= Long.BYTES
        && owner != -1
        && owner + 1 == (long) LONGS.get(Arrays.copyOf(high, Long.BYTES), 0);
  }

  /** The smallest key above {@code key}. */
  public static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private static boolean isSuccessor(byte[] low, byte[] high) {
    return high.length == low.length + 1
        && high[low.length] == 0
        && Arrays.mismatch(low, 0, low.length, high, 0, low.length) < 0;
  }

  /** The smallest bound above both, null being above everything. */
  static byte[] higher(byte[] high, byte[] other) {
    if (high == null || other == null) {
      return null;
    }
    return Arrays.compareUnsigned(high, other) >= 0 ? high : other;
  }

  /** A name for people: of a key if {@code high} is its successor, else of a range. */
  public static String describe(int space, byte[] low, byte[] high) {
    if (low != null && high != null && isSuccessor(low, high)) {
      return name(space) + " " + key(space, low);
    }
    return name(space)
        + " ["
        + (low == null ? "" : key(space, low))
        + ", "
        + (high == null ? "" : key(space, high))
        + ")";
  }

  private static String name(int space) {
    return switch (space) {
      case EDGES -> "edge";
      case TreeIds.VERTICES -> "vertex";
      case TreeIds.DICTIONARY -> "dictionary";
      case TreeIds.EXTERNAL_IDS -> "vertex id";
      case TreeIds.EXTERNAL_OF -> "vertex id of";
      case TreeIds.EDGE_IDS -> "edge id";
      case TreeIds.PROPERTIES -> "property";
      case TreeIds.META -> "meta";
      case TreeIds.INDEX_ENTRIES -> "index";
      default -> "tree " + space;
    };
  }

  private static String key(int space, byte[] key) {
    if (space == EDGES
        && key.length >= EdgeKey.LENGTH
        && key.length == EdgeKey.length(EdgeKey.tagLabel(key))) {
      return EdgeKey.toString(key);
    }
    if (isOwned(space) && key.length >= Long.BYTES) {
      String rest = HexFormat.of().formatHex(key, Long.BYTES, key.length);
      return EdgeKey.owner(key) + (rest.isEmpty() ? "" : " " + rest);
    }
    for (byte b : key) {
      if (b < ' ' || b == 0x7F) {
        return "0x" + HexFormat.of().formatHex(key);
      }
    }
    return '"' + new String(key, java.nio.charset.StandardCharsets.US_ASCII) + '"';
  }
}
