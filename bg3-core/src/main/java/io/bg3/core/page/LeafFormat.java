package io.bg3.core.page;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.nio.ByteBuffer;

/**
 * What can be done with a leaf, read and write: the two kinds of leaf differ in their keys alone.
 *
 * <p>A leaf is named by the address of its newest block, which is a base, or a delta whose header
 * points at its base. Blocks are written aside and never changed, so every method that writes
 * returns a new address, and the caller publishes it and retires the old one ({@link #retire}).
 *
 * <p>Keys are given as bytes. A bound of a range may be shorter or longer than a key of the leaf;
 * null is open.
 *
 * <p>Threads: the object has no state but its memory. Methods that take an address are called
 * inside the epoch in which it was read, or by who holds the page's latch. Addresses of freed
 * blocks give wrong answers or a RuntimeException, and end.
 */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public abstract class LeafFormat {
  final BlockMemory memory;

  LeafFormat(BlockMemory memory) {
    this.memory = memory;
  }

  /** Leaves of edges, {@link EdgeEntries}, whose keys are {@link EdgeKey}s. */
  public static LeafFormat edges(BlockMemory memory) {
    throw unfinished();
  }

  /** Leaves of byte keys, {@link ByteEntries}. */
  public static LeafFormat bytes(BlockMemory memory) {
    throw unfinished();
  }

  /** Empty columns of this format's kind. */
  public abstract Entries newEntries();

  // Reading

  /**
   * The newest version of a key at or below a snapshot, a tombstone too.
   *
   * @param snapshot {@link Long#MAX_VALUE} for what was applied last
   * @return false if there is none; {@code out} is then left as it was
   */
  public boolean get(long block, byte[] key, long snapshot, Version out) {
    throw unfinished();
  }

  /**
   * Adds the entries that a snapshot sees of keys at or above {@code low} and below {@code high},
   * ascending. Their ops say {@link Op#PUT} or {@link Op#LOCATION} and nothing else; a location's
   * value is its 8 bytes. Only the bulk of columns is copied where no version stands in question.
   *
   * @param low null from the first
   * @param high null to the last
   * @param withValues whether values are copied; locations come anyhow without them
   */
  public void copy(
      long block, byte[] low, byte[] high, long snapshot, boolean withValues, Entries into) {
    throw unfinished();
  }

  /**
   * The largest stamp kept among all versions, tombstones too, of keys at or above {@code low} and
   * below {@code high}; 0 if all are settled or there are none. {@link PageHeader#newestStamp}
   * bounds it for the whole page.
   */
  public long newest(long block, byte[] low, byte[] high) {
    throw unfinished();
  }

  /** Entries of the delta, 0 for a base: more than the configured number make a new base due. */
  public int deltaCount(long block) {
    throw unfinished();
  }

  /** Bytes that the page takes of memory, base, delta and values. */
  public int memoryBytes(long block) {
    throw unfinished();
  }

  // Writing

  /**
   * Writes the delta that follows from adding entries to a page. They become the newest versions of
   * their keys and are marked {@link Op#UNSTORED}; older versions are kept. Skipped are entries
   * that are not newer than the newest version present, which only replay brings (a settled version
   * counts as older than any stamp). An entry of stamp 0 replaces all versions of its key.
   *
   * @param block base, or delta over a base
   * @param batch sorted entries of this page's range; their {@link Op#OLDER} and {@link
   *     Op#UNSTORED} bits are ignored
   * @return address of a delta over the same base; {@code block} itself if every entry was skipped
   */
  public long writeDelta(long block, Entries batch, int from, int to) {
    throw unfinished();
  }

  /**
   * Bytes that {@link #writeDelta} may take of the memory budget, for who must ask before it can no
   * longer fail.
   */
  public int deltaBytes(long block, Entries batch, int from, int to) {
    throw unfinished();
  }

  /** Writes a copy of a delta over another place of the same base (the package's rule 18). */
  public long moveDelta(long delta, long base) {
    throw unfinished();
  }

  /**
   * The entries of a page, base and delta, after pruning: what a new base is written from. Versions
   * that nobody reads are left out, stamps at or below the floor are 0, and a settled tombstone is
   * left out unless it is marked, since then the stored base may hold what it hides.
   *
   * @return new columns, changeable by the caller
   */
  public Entries merged(long block, Horizon horizon) {
    throw unfinished();
  }

  /**
   * Writes a base of some entries, with the marks they have. Entries of a page that has no stored
   * base are to be marked first, {@link Entries#markAllUnstored}.
   *
   * @param cut of the pruning that the entries came from; of two pages made one, the larger
   */
  public long writeBase(PageFrame frame, Entries entries, int from, int to, long cut) {
    throw unfinished();
  }

  /**
   * Writes the base that a page becomes when all it holds has been stored as its base: merged,
   * without marks, without settled tombstones (the package's rule 3). To be published only if
   * {@code block} is still the page's block.
   */
  public long withoutMarks(long block, Horizon horizon) {
    throw unfinished();
  }

  // Sizes

  /**
   * Bytes that entries take in a page, without stamps and older versions: what is compared with the
   * capacity. Values are counted.
   */
  public int bytes(Entries entries, int from, int to) {
    throw unfinished();
  }

  /**
   * Where to cut entries so that no piece exceeds the capacity, nor twice the capacity with older
   * versions and stamps. No cut separates versions of a key.
   *
   * @param appending whether what made the page grow stands at its right end: then the left pieces
   *     are left nearly full, else the pieces are made equal
   * @return ascending indexes from 0 to the number of entries, both included: two numbers if there
   *     is nothing to cut
   */
  public int[] splitPoints(Entries entries, int capacity, boolean appending) {
    throw unfinished();
  }

  /** Whether all keys of a page's delta stand behind those of its base, as when keys ascend. */
  public boolean appends(long block) {
    throw unfinished();
  }

  /**
   * The shortest bound above the key at {@code at - 1} and not above that at {@code at}: a fence
   * between two pieces.
   */
  public byte[] separator(Entries entries, int at) {
    throw unfinished();
  }

  // Lifetime

  /** Address of the base: of the block under a delta, or the block itself. */
  public long base(long block) {
    throw unfinished();
  }

  /**
   * Frees one block with its values at once, a delta without its base. Nobody may have seen it or
   * may still read it.
   */
  public void free(long block) {
    throw unfinished();
  }

  /**
   * Frees one block with its values, a delta without its base, when the readers of now are gone.
   */
  public void retire(long block, Epochs epochs) {
    throw unfinished();
  }

  // Images

  /**
   * The image of the whole page as a base: base and delta merged, no marks, no settled tombstones.
   * On the heap, ready to be appended to an extent.
   */
  public ByteBuffer[] baseImage(long block) {
    throw unfinished();
  }

  /**
   * The image of the page's delta against its stored base: exactly the marked entries of base and
   * delta.
   */
  public ByteBuffer[] deltaImage(long block) {
    throw unfinished();
  }

  /** Entries that {@link #deltaImage} would hold. */
  public int markedCount(long block) {
    throw unfinished();
  }

  /**
   * About the bytes that {@link #deltaImage} would have; to be compared with {@link #imageBytes}.
   */
  public int markedBytes(long block) {
    throw unfinished();
  }

  /** About the bytes that {@link #baseImage} would have. */
  public int imageBytes(long block) {
    throw unfinished();
  }

  /**
   * Loads the image of a base into memory.
   *
   * @param image from its position on, to its limit
   * @param source where the image comes from, for messages
   * @return address of a base without marks
   * @throws io.bg3.storage.format.CorruptionException if the image is not what {@link #baseImage}
   *     wrote
   */
  public long loadBase(ByteBuffer image, String source) {
    throw unfinished();
  }

  /**
   * Loads the image of a delta into memory, over the base it was stored against.
   *
   * @return address of a delta, all of its entries marked
   * @throws io.bg3.storage.format.CorruptionException if the image is not what {@link #deltaImage}
   *     wrote for this page
   */
  public long loadDelta(ByteBuffer image, long base, String source) {
    throw unfinished();
  }

  // Watching

  /**
   * Checks the numbered invariants of a block, and of the base under a delta.
   *
   * @throws AssertionError naming the first that does not hold
   */
  public void check(long block) {
    throw unfinished();
  }

  /** The page in words, header and every entry. */
  public String print(long block) {
    throw unfinished();
  }

  private static UnsupportedOperationException unfinished() {
    return new UnsupportedOperationException();
  }
}
