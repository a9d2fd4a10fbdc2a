package io.bg3.core.tree;

import io.bg3.storage.codec.Compression;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The settings of a family of edge labels that has a name (R51). They are the value of an entry of
 * the META tree, so that replay and every opening find them:
 *
 * <pre>
 *  key     "family/" in ASCII, number of the family (1)
 *
 *  value   size    field
 *          1       version      1, or 2 with a split-out
 *          varint  ttl          milliseconds; 0 if the edges stay
 *          varint  capacity     bytes of a leaf; 0 for the setting of the store
 *          varint  consolidate  entries of a delta; 0 for the setting of the store
 *          varint  splitOut     only in version 2: entries of a vertex that stay together
 *          rest    compression  its text in ASCII; empty for the settings of the store
 * </pre>
 *
 * <p>The value is below every threshold of large values. Only the time to live says anything of the
 * entries; the others are about what is written and moved from now on.
 *
 * @param ttlMillis how long the edges live, in milliseconds; 0 if they stay
 * @param pageCapacity bytes above which a leaf is split; 0 for the setting of the store
 * @param consolidate entries that a delta may hold; 0 for the setting of the store
 * @param splitOut entries of a vertex above which it gets a tree of its own; 0 if none gets one
 * @param compression how the images of leaves are compressed; null for the settings of the store
 */
public record FamilySettings(
    long ttlMillis, int pageCapacity, int consolidate, int splitOut, Compression compression) {
  /** Those of the store. */
  public static final FamilySettings OF_STORE = new FamilySettings(0, 0, 0, 0, null);

  private static final byte[] KEY = "family/".getBytes(StandardCharsets.US_ASCII);
  private static final byte VERSION = 2;
  private static final byte VERSION_WITHOUT_SPLIT_OUT = 1;
  private static final String SOURCE = "family of edge labels";
  private static final int FIRST_NUMBER = 1;

  /** The key of the settings of a family in the META tree. */
  public static byte[] key(int family) {
    byte[] key = Arrays.copyOf(KEY, KEY.length + 1);
    key[KEY.length] = (byte) family;
    return key;
  }

  /** The family whose settings a key of the META tree has; 0 if it has something else. */
  public static int family(byte[] key) {
    return key.length == KEY.length + 1 && Arrays.equals(key, 0, KEY.length, KEY, 0, KEY.length)
        ? key[KEY.length] & 0xFF
        : 0;
  }

  /** The value of the entry. */
  public byte[] encode() {
    byte[] text =
        compression == null ? new byte[0] : compression.text().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer to = ByteBuffer.allocate(1 + 4 * Varints.MAX_BYTES + text.length);
    to.put(splitOut == 0 ? VERSION_WITHOUT_SPLIT_OUT : VERSION);
    Varints.put(to, ttlMillis);
    Varints.put(to, pageCapacity);
    Varints.put(to, consolidate);
    if (splitOut != 0) {
      Varints.put(to, splitOut);
    }
    to.put(text);
    return Arrays.copyOf(to.array(), to.position());
  }

  /**
   * The settings that a value has.
   *
   * @throws CorruptionException if it is not what {@link #encode} writes
   */
  public static FamilySettings decode(byte[] value) {
    ByteBuffer from = ByteBuffer.wrap(value);
    byte version = value.length == 0 ? 0 : from.get();
    if (version != VERSION && version != VERSION_WITHOUT_SPLIT_OUT) {
      throw new CorruptionException(
          SOURCE,
          0,
          "version " + VERSION_WITHOUT_SPLIT_OUT + " or " + VERSION,
          value.length == 0 ? "none" : "version " + version);
    }
    long ttlMillis = Varints.get(from);
    long capacity = Varints.get(from);
    long consolidate = Varints.get(from);
    long splitOut = version == VERSION ? Varints.get(from) : 0;
    String text = new String(value, from.position(), from.remaining(), StandardCharsets.US_ASCII);
    if (ttlMillis < 0
        || capacity != (int) capacity
        || consolidate != (int) consolidate
        || splitOut != (int) splitOut
        || capacity < 0
        || consolidate < 0
        || splitOut < 0
        || !(text.isEmpty() || Compression.isValid(text))) {
      throw new CorruptionException(
          SOURCE,
          FIRST_NUMBER,
          "a time, numbers and a compression",
          ttlMillis + ", " + capacity + ", " + consolidate + ", " + splitOut + ", " + text);
    }
    return new FamilySettings(
        ttlMillis,
        (int) capacity,
        (int) consolidate,
        (int) splitOut,
        text.isEmpty() ? null : Compression.of(text));
  }
}
