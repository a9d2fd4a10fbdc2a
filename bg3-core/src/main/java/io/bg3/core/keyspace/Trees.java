package io.bg3.core.keyspace;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Op;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.KeptDegrees;
import io.bg3.core.forest.OwnersTree;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.page.PageRead;
import io.bg3.core.page.Version;
import io.bg3.core.table.Pins;
import io.bg3.core.thread.PerThread;
import io.bg3.core.tree.EmptyTree;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.KeyReader;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.NeighbourReader;
import io.bg3.core.tree.RoutedReads;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeRoute;
import io.bg3.core.tree.TreeSize;
import io.bg3.core.value.ValueGroup;
import io.bg3.storage.extent.NoSuchExtentException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/** The trees behind key spaces, and the values behind locations. Threads: any. */
public final class Trees implements TreeRoute {
  private final Forest forest;
  private final Tree[] bytes = new Tree[TreeIds.FIRST_INIT];
  private final ValueStore values;
  private final RoutedReads edges;

  private final PerThread<ReadBuffers> spares = PerThread.of(ReadBuffers::new);

  /** One for each thread that asks: it keeps views of leaves. */
  private final PerThread<NeighbourReader> neighbourReaders;

  private final PerThread<KeyReader> keyReaders;

  private final PerThread<LeafPrefetch> prefetches;

  /** The trees of a forest, and the store of their large values. */
  public Trees(Forest forest, ValueStore values) {
    this.forest = forest;
    this.values = values;
    this.edges = forest.reads();
    this.neighbourReaders = PerThread.of(forest::neighbourReader);
    this.keyReaders = PerThread.of(forest::keyReader);
    this.prefetches = PerThread.of(forest::leafPrefetch);
    for (int id = TreeIds.VERTICES; id <= TreeIds.LAST_BYTES; id++) {
      bytes[id] = forest.bytes(id);
    }
  }

  /** The store of large values. */
  public ValueStore values() {
    return values;
  }

  /** The pins by which commits keep leaves in memory. */
  public Pins pins() {
    return forest.pins();
  }

  /** Whether some leaves may be in storage only, so that {@link #prefetch} may help. */
  public boolean mayPrefetch() {
    return forest.mayPrefetch();
  }

  /**
   * Loads the leaves of some keys together, as far as they are in storage only and there is memory
   * for them: a hint for reads that follow. Costs a look at a counter where all pages are in
   * memory.
   *
   * @param key the keys by their indexes; not asked where all pages are in memory
   */
  public void prefetch(int space, int count, IntFunction<byte[]> key) {
    if (count > 1 && forest.mayPrefetch()) {
      LeafPrefetch leaves = prefetches.get();
      for (int i = 0; i < count; i++) {
        byte[] next = key.apply(i);
        if (space == KeySpace.EDGES) {
          leaves.want(ofKey(next), EdgeKey.owner(next), next);
        } else {
          leaves.want(ofSpace(space), next);
        }
      }
      leaves.load();
    }
  }

  /** The tree that holds a key now. Of an edge: inside of an epoch, or under its stripe. */
  public Tree of(int space, byte[] key) {
    return space == KeySpace.EDGES ? forest.edges(key) : ofSpace(space);
  }

  /** Sees to it that a family of edge labels has a tree. */
  public void openFamily(int family) {
    forest.openFamily(family);
  }

  /** Whether a family of edge labels has a tree. */
  public boolean hasFamily(int family) {
    return forest.family(family) != null;
  }

  /** The settings of a family as its entry has them; null if there is none. May load a page. */
  public FamilySettings settingsOfFamily(int family) {
    return forest.settingsOfFamily(family);
  }

  /** Says how the pages of a family are written from now on; makes its tree if there is none. */
  public void configureFamily(int family, FamilySettings settings) {
    forest.configureFamily(family, settings);
  }

  /** The route to what begins with a key or a bound. */
  private TreeRoute ofKey(byte[] key) {
    return key.length < EdgeKey.OTHER ? this : ofLabel(EdgeKey.tagLabel(key));
  }

  /** The tree of a space that is one tree. */
  public Tree ofSpace(int space) {
    Tree tree = space > 0 && space < bytes.length ? bytes[space] : null;
    if (tree == null) {
      throw new IllegalArgumentException("no byte-key tree: tree=" + space);
    }
    return tree;
  }

  /** Whether any owner has a tree of its own for entries without a family. */
  public boolean hasDedicated() {
    return forest.hasDedicated();
  }

  /** Whether an owner has a tree of its own for entries without a family. */
  public boolean isDedicated(long owner) {
    return forest.isDedicated(owner);
  }

  /**
   * The tree that holds an owner's entries without a family, and what is known of its degrees, by
   * one look-up. Under the owner's stripe, which keeps the answer true.
   */
  public OwnersTree ownersTree(long owner) {
    return forest.ownersTree(owner);
  }

  /** What is known of an owner's degrees; right for as long as its stripe is held. */
  public KeptDegrees degrees(long owner) {
    return forest.degrees(owner);
  }

  /** Notes whether an owner's degrees are kept from now on. The owner's stripe is held. */
  public void noteDegrees(long owner, boolean kept) {
    forest.noteDegrees(owner, kept);
  }

  /** Says that nothing is known of an owner's degrees from now on. The owner's stripe is held. */
  public void forgetDegrees(long owner) {
    forest.forgetDegrees(owner);
  }

  /** Has the thread that moves owners look whether one has lost its entries without a family. */
  public void noticeEmptied(long owner) {
    forest.heavyOwners().notice(owner);
  }

  /**
   * Has the thread that moves owners keep the degrees of one whose tree, which is this one, has
   * many leaves, as far as its root is in memory.
   */
  public void noticeIfLarge(long owner, Tree tree) {
    if (TreeSize.isSeenLarge(tree)) {
      forest.heavyOwners().noticeLarge(owner);
    }
  }

  /**
   * Whether an owner has a tree of its own of few leaves, all in memory, without entries.
   *
   * @param removed the key of the owner's entry that was removed last
   */
  public boolean hasNothingLeft(long owner, byte[] removed) {
    Tree tree = forest.dedicatedTree(owner);
    if (tree == null) {
      return false;
    }
    ReadBuffers spare = spares();
    Entries some = spare.take(KeySpace.EDGES, tree);
    boolean isEmpty = EmptyTree.isEmptyAndSmall(tree, removed, (EdgeEntries) some, spare.read);
    some.clear();
    spare.give(KeySpace.EDGES, some);
    return isEmpty;
  }

  /** The reads of edges, each owner's in the tree that holds them at the moment. */
  public RoutedReads edges() {
    return edges;
  }

  /**
   * The tree that holds an owner's edges now, but for those of a family. Inside of an epoch, or
   * under its stripe.
   */
  @Override
  public Tree tree(long owner) {
    return forest.tree(owner);
  }

  @Override
  public TreeRoute ofLabel(int tagLabel) {
    return forest.ofLabel(tagLabel);
  }

  @Override
  public int families() {
    return forest.families();
  }

  /** The objects that the calling thread uses again and again. */
  public ReadBuffers spares() {
    return spares.get();
  }

  /** Those of all threads. */
  public PerThread<ReadBuffers> buffers() {
    return spares;
  }

  /** The reader of neighbours for the calling thread. */
  public NeighbourReader neighbourReader() {
    return neighbourReaders.get();
  }

  /** The sources that together copy all edges, one for each INIT tree and each family. */
  public List<LeafSource> allEdges() {
    return forest.allEdges();
  }

  /** The sources that together copy the edges of some families; 0 is none. */
  public List<LeafSource> edgesOf(BitSet families) {
    return forest.edgesOf(families::get);
  }

  /**
   * The value of a key at a snapshot, null if it is absent or has expired.
   *
   * @param expiry {@link Expiry#NEVER} for a value that counts also if it has expired
   * @param read filled on the way
   */
  public byte[] value(int space, byte[] key, long snapshot, Expiry expiry, PageRead read) {
    byte[] missing = null;
    while (true) {
      Version version = read.version();
      if (!get(space, key, snapshot, read) || !isThere(version, key, expiry)) {
        return null;
      }
      byte[] value = version.value();
      if (!Op.isLocation(version.op())) {
        return value;
      }
      try {
        return values.read(space, key, value);
      } catch (NoSuchExtentException e) {
        if (Arrays.equals(missing, value)) {
          throw e; // nobody has moved it: the entry itself is wrong
        }
        missing = value;
      }
    }
  }

  /**
   * The large value at a location that was copied from an entry of a key.
   *
   * @return null if its extent has been deleted since: then the tree knows a newer place (R26)
   */
  public byte[] storedValue(int space, byte[] key, byte[] location) {
    try {
      return values.read(space, key, location);
    } catch (NoSuchExtentException e) {
      return null;
    }
  }

  /**
   * Reads large values of a space together, as far as that is possible; the others are left to
   * {@link #storedValue}.
   */
  public void readTogether(int space, ValueGroup group) {
    values.readTogether(space, group, forest.groupReads());
  }

  /**
   * The values of many keys of one tree at a snapshot, looked up in step.
   *
   * @param keys from index 0 up to {@code count}, of a space that is one tree
   * @param into gets them at the indexes of their keys, null for a key that is absent
   */
  public void values(
      int space,
      byte[][] keys,
      int count,
      long snapshot,
      Expiry expiry,
      PageRead read,
      byte[][] into) {
    Tree tree = ofSpace(space);
    KeyReader reader = keyReaders.get();
    for (int from = 0; from < count; from += KeyReader.GROUP) {
      int to = Math.min(count, from + KeyReader.GROUP);
      reader.read(tree, keys, from, to, snapshot);
      for (int i = from; i < to; i++) {
        into[i] = reader.isAnswered(i - from) ? reader.value(i - from) : null;
      }
      readApart(space, keys, from, to, reader, into);
      for (int i = from; i < to; i++) {
        if (!reader.isAnswered(i - from) && into[i] == null) {
          into[i] = value(space, keys[i], snapshot, expiry, read);
        }
      }
    }
  }

  /** Reads the large values that a group of look-ups has come to. */
  private void readApart(
      int space, byte[][] keys, int from, int to, KeyReader reader, byte[][] into) {
    ScannedValues spare = null;
    int[] places = null;
    for (int i = from; i < to; i++) {
      if (reader.isApart(i - from)) {
        if (spare == null) {
          spare = spares().takeLarge();
          places = new int[to - from];
        }
        places[spare.group().count()] = i;
        spare.group().add(keys[i], ValueStore.location(reader.value(i - from), 0));
      }
    }
    if (spare != null) {
      ValueGroup group = spare.group();
      readTogether(space, group);
      for (int i = 0; i < group.count(); i++) {
        into[places[i]] = group.isThere(i) ? group.value(i) : null;
      }
      spares().giveLarge(spare);
    }
  }

  /** Whether a version that was found is none that is absent or has expired. */
  private static boolean isThere(Version version, byte[] key, Expiry expiry) {
    return !version.isTombstone()
        && (version.stamp() == 0 || !expiry.hasExpired(EdgeKey.tagLabel(key), version.stamp()));
  }

  /** Whether a key is there at a snapshot and has not expired. Reads no values. */
  public boolean exists(int space, byte[] key, long snapshot, Expiry expiry, PageRead read) {
    boolean found =
        space == KeySpace.EDGES
            ? edges.find(EdgeKey.owner(key), key, snapshot, read)
            : ofSpace(space).find(key, snapshot, read);
    return found && isThere(read.version(), key, expiry);
  }

  private boolean get(int space, byte[] key, long snapshot, PageRead read) {
    return space == KeySpace.EDGES
        ? edges.get(EdgeKey.owner(key), key, snapshot, read)
        : ofSpace(space).get(key, snapshot, read);
  }

  /**
   * Whether a version newer than {@code stamp} of a key with {@code low <= key < high} has been
   * applied.
   */
  public boolean changedAfter(int space, byte[] low, byte[] high, long stamp) {
    if (space != KeySpace.EDGES) {
      return ofSpace(space).changedAfter(low, high, stamp);
    }
    if (KeySpace.isOneStripe(space, low, high)) {
      return edges.changedAfter(EdgeKey.owner(low), low, high, stamp);
    }
    return anyOwnerChangedAfter(low, high, stamp);
  }

  /**
   * The end of the keys from one on in which no version is newer than a stamp, as far as one leaf
   * that is in memory says. That of an edge is not looked for.
   *
   * @return {@code from} itself if nothing is known; null if there is no newer one up to the last
   *     key
   */
  public byte[] endOfUnchanged(int space, byte[] from, long stamp) {
    return space == KeySpace.EDGES ? from : ofSpace(space).endOfUnchanged(from, stamp);
  }

  /**
   * The INIT trees first: an owner that is erased from one before this has come to it is in the
   * directory behind.
   */
  private boolean anyOwnerChangedAfter(byte[] low, byte[] high, long stamp) {
    for (Tree tree : forest.initTreesInOrder()) {
      if (tree.changedAfter(low, high, stamp)) {
        return true;
      }
    }
    for (Tree tree : forest.familyTrees()) {
      if (tree.changedAfter(low, high, stamp)) {
        return true;
      }
    }
    if (forest.dedicatedTrees() == 0) {
      return false;
    }
    byte[] seen = null;
    ByteEntries owners = new ByteEntries();
    byte[] next = low == null ? new byte[0] : Arrays.copyOf(low, Math.min(low.length, Long.BYTES));
    while (next != null) {
      owners.clear();
      next = forest.dedicatedOwners(next, owners);
      for (int i = 0; i < owners.count(); i++) {
        byte[] first = EdgeKey.prefix(EdgeKey.owner(owners.key(i)));
        if (Arrays.equals(first, seen)) {
          continue; // in another family
        }
        seen = first;
        if (high != null && Arrays.compareUnsigned(first, high) >= 0) {
          return false;
        }
        byte[] from = low != null && Arrays.compareUnsigned(low, first) > 0 ? low : first;
        if (changedBesidesDegrees(EdgeKey.owner(first), from, end(first, high), stamp)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether anything of an owner has changed but its degrees (R36), which change together with an
   * entry, or by being counted, which changes no answer.
   */
  private boolean changedBesidesDegrees(long owner, byte[] low, byte[] high, long stamp) {
    byte[] first = DegreeKey.first(owner);
    byte[] behind = DegreeKey.behind(owner);
    byte[] end = high != null && Arrays.compareUnsigned(high, first) < 0 ? high : first;
    if (Arrays.compareUnsigned(low, end) < 0 && edges.changedAfter(owner, low, end, stamp)) {
      return true;
    }
    byte[] from = Arrays.compareUnsigned(low, behind) > 0 ? low : behind;
    return (high == null || Arrays.compareUnsigned(from, high) < 0)
        && edges.changedAfter(owner, from, high, stamp);
  }

  /** Where the part of a range ends that is an owner's. */
  private static byte[] end(byte[] owner, byte[] high) {
    byte[] after = EdgeKey.after(owner);
    return after == null || (high != null && Arrays.compareUnsigned(high, after) < 0)
        ? high
        : after;
  }
}
