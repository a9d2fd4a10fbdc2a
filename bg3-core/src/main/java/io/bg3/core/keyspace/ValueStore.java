package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.tree.GroupReads;
import io.bg3.core.tree.ReadTally;
import io.bg3.core.value.LargeValueCache;
import io.bg3.core.value.ValueGroup;
import io.bg3.storage.Waiting;
import io.bg3.storage.codec.Codec;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Values too large for pages: each lies in the VALUE stream, and the page holds its location.
 *
 * <p>A record of the stream, its kind being 1 and its key the hash of space and key:
 *
 * <pre>
 *  varint  space
 *  varint  key length
 *       …  key
 *       …  value, to the end
 * </pre>
 *
 * <p>If the value is compressed the kind is 2, and behind the key follow:
 *
 * <pre>
 *       1  codec         as in {@link io.bg3.core.block.PageImage}
 *  varint  value length
 *       …  compressed value, to the end
 * </pre>
 *
 * <p>It is appended before its commit takes its timestamp. A commit that does not happen releases
 * it again.
 *
 * <p>Threads: any.
 */
public final class ValueStore {
  private static final byte KIND = 1;
  private static final byte COMPRESSED = 2;

  /** No value of a group is read any more when these have so many bytes. */
  private static final long MOST_TOGETHER = 4 << 20;

  private static final VarHandle LOCATION =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ExtentStore extents;
  private final int threshold;
  private final Compressor compressor;
  private final LargeValueCache cache;

  /** Values whose entries are in the pages, for a checkpoint to find out which are still wanted. */
  private final Queue<Long> written = new ConcurrentLinkedQueue<>();

  /**
   * Values that no image has been seen to refer to, from before the stamp of their commit. One that
   * an image has referred to is wanted as long as images do, whenever its commit says that it is
   * written.
   */
  private final Set<Long> unstored = ConcurrentHashMap.newKeySet();

  /**
   * @param threshold values longer than this many bytes are kept here
   * @param cache of values in memory
   */
  public ValueStore(
      ExtentStore extents, int threshold, Compressor compressor, LargeValueCache cache) {
    this.extents = extents;
    this.threshold = threshold;
    this.compressor = compressor;
    this.cache = cache;
  }

  /** Whether a value goes here. */
  public boolean isLarge(byte[] value) {
    return value.length > threshold;
  }

  /** Appends a value and returns its location. */
  public long append(int space, byte[] key, byte[] value) throws IOException {
    ByteBuffer head =
        ByteBuffer.allocate(3 * Varints.MAX_BYTES + 1 + key.length).order(ByteOrder.LITTLE_ENDIAN);
    Varints.put(head, space);
    Varints.put(head, key.length);
    head.put(key);
    ByteBuffer plain = ByteBuffer.wrap(value);
    ByteBuffer compressed = compressor.compress(plain);
    if (compressed != null) {
      head.put((byte) compressor.compression().codec().code());
      Varints.put(head, value.length);
    }
    ByteBuffer stored = compressed == null ? plain : compressed;
    compressor.count(value.length, stored.remaining());
    byte kind = compressed == null ? KIND : COMPRESSED;
    int family = space == KeySpace.EDGES ? EdgeKey.family(EdgeKey.tagLabel(key)) : 0;
    long hash = KeySpace.stripeHash(space, key);
    long now = System.currentTimeMillis(); // decides nothing: values go with the leaves (R46)
    long location =
        extents.appendExpiring(Stream.VALUE, family, now, kind, hash, head.flip(), stored);
    unstored.add(location);
    return location;
  }

  /**
   * Says that the entries of a commit are in their pages, those of large values too. These values
   * are kept in memory if it is free.
   */
  public void markWritten(WriteSet writes) {
    for (SpaceWrites space : writes.spaces()) {
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        if (write.location != 0) {
          markWritten(write.location);
          cache.keepWritten(write.location, space.space, write.key, write.value);
        }
      }
    }
  }

  /** Notes that the entry of one large value is in its page. */
  public void markWritten(long location) {
    written.add(location);
  }

  /**
   * The values of which {@link #markWritten} was said since the last call, but for those that have
   * been {@link #stored} before.
   */
  public List<Long> takeWritten() {
    List<Long> taken = new ArrayList<>();
    for (Long location = written.poll(); location != null; location = written.poll()) {
      if (unstored.remove(location)) {
        taken.add(location);
      }
    }
    return taken;
  }

  /**
   * Says that an image refers to values. A flush can come between the entries of a commit and its
   * {@link #markWritten}, and the value be released before that too.
   */
  public void stored(long[] locations) {
    for (long location : locations) {
      unstored.remove(location);
    }
  }

  /** Takes back what a commit appended that will not happen. */
  public void release(long location) {
    unstored.remove(location);
    extents.release(location);
  }

  /** The location that stands in an array, from an index on. */
  static long location(byte[] array, int start) {
    return (long) LOCATION.get(array, start);
  }

  /** A location as it stands in an entry. */
  public static byte[] encode(long location) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(location).array();
  }

  /**
   * The value of a key at a location, from memory if it is there (R61).
   *
   * @throws NoSuchExtentException if the extent has been deleted since the location was read: then
   *     the tree knows a newer place
   * @throws UncheckedIOException if it cannot be read
   * @throws io.bg3.storage.WouldWaitException if the thread may not read from the disk now (R58)
   */
  public byte[] read(int space, byte[] key, byte[] location) {
    long address = location(location, 0);
    byte[] cached = cache.get(address, space, key);
    if (cached != null) {
      return cached;
    }
    Waiting.requireRead();
    byte[] value = readStored(space, key, address);
    cache.keepRead(address, space, key, value);
    return value;
  }

  /**
   * Reads the values of a group: those in memory, and of the others, if they are several, those
   * that can be read. The thread that needs a value that is missing then reads it by itself, and
   * gets the error.
   */
  void readTogether(int space, ValueGroup group, GroupReads reads) {
    cache.copy(space, group);
    int[] missing = new int[group.count()];
    int count = 0;
    for (int i = 0; i < group.count(); i++) {
      if (!group.isThere(i)) {
        missing[count++] = i;
      }
    }
    if (count < 2 || !reads.isUseful() || !Waiting.mayRead()) {
      return;
    }
    byte[][] found = new byte[count][];
    AtomicLong bytes = new AtomicLong();
    reads.run(
        count,
        each -> {
          int i = missing[each];
          if (bytes.get() < MOST_TOGETHER) {
            found[each] = readStored(space, group.key(i), group.location(i));
            bytes.addAndGet(found[each].length);
          }
        });
    for (int each = 0; each < count; each++) {
      int i = missing[each];
      if (found[each] != null) {
        group.set(i, found[each]);
        cache.keepRead(group.location(i), space, group.key(i), found[each]);
      }
    }
  }

  private byte[] readStored(int space, byte[] key, long address) {
    try {
      ExtentRecord record = extents.read(address);
      ByteBuffer payload = record.payload();
      ReadTally.ofThread().addDeviceReads(1, payload.remaining());
      Owner found = Owner.get(payload);
      if (found.space() != space || !Arrays.equals(found.key(), key)) {
        throw new CorruptionException(
            "VALUE record",
            address,
            KeySpace.describe(space, key, KeySpace.successor(key)),
            KeySpace.describe(found.space(), found.key(), KeySpace.successor(found.key())));
      }
      if (record.kind() == COMPRESSED) {
        return decompressed(payload, address);
      }
      byte[] value = new byte[payload.remaining()];
      payload.get(value);
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The key whose value a record holds.
   *
   * @param key in its space
   */
  @SuppressWarnings("ArrayRecordComponent") // taken apart at once, never compared
  public record Owner(int space, byte[] key) {
    /** Reads the owner from a record of the VALUE stream, whose payload's position stays. */
    public static Owner of(ExtentRecord record) {
      return get(record.payload().duplicate());
    }

    private static Owner get(ByteBuffer payload) {
      int space = (int) Math.min(Varints.get(payload), Integer.MAX_VALUE);
      byte[] key = new byte[(int) Math.min(Varints.get(payload), payload.remaining())];
      payload.get(key);
      return new Owner(space, key);
    }
  }

  private static byte[] decompressed(ByteBuffer payload, long address) {
    int code = payload.get();
    Codec codec = Codec.of(code);
    long length = Varints.get(payload);
    if (codec == null
        || codec == Codec.NONE
        || length < 1
        || length > ExtentStore.MAX_PAYLOAD
        || !Codec.mayDecode(payload.remaining(), length)) {
      throw new CorruptionException(
          "VALUE record",
          address,
          "a codec, and a length for " + payload.remaining() + " bytes",
          "codec " + code + ", length " + length);
    }
    byte[] value = new byte[(int) length];
    int found = codec.decompress(payload, ByteBuffer.wrap(value));
    if (found != value.length) {
      throw new CorruptionException("VALUE record", address, length + " bytes", found + " bytes");
    }
    return value;
  }
}
