package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.page.PageRead;
import io.bg3.core.page.Version;
import io.bg3.core.table.Pins;
import io.bg3.core.tree.NeighbourReader;
import io.bg3.core.tree.Tree;
import io.bg3.storage.extent.NoSuchExtentException;
import java.util.Arrays;
import java.util.List;

/** The trees behind key spaces, and the values behind locations. Threads: any. */
public final class Trees implements NeighbourReader.Route {
  private final Forest forest;
  private final Tree[] bytes = new Tree[TreeIds.FIRST_INIT];
  private final ValueStore values;

  private final ThreadLocal<ReadBuffers> spares = ThreadLocal.withInitial(ReadBuffers::new);

  /** One for each thread that asks: it keeps views of leaves. */
  private final ThreadLocal<NeighbourReader> neighbourReaders;

  /** The trees of a forest, and the store of their large values. */
  public Trees(Forest forest, ValueStore values) {
    this.forest = forest;
    this.values = values;
    this.neighbourReaders = ThreadLocal.withInitial(forest::neighbourReader);
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

  /** The tree that holds a key now. */
  public Tree of(int space, byte[] key) {
    return space == KeySpace.EDGES ? forest.edges(EdgeKey.owner(key)) : ofSpace(space);
  }

  /** The tree of a space that is one tree. */
  public Tree ofSpace(int space) {
    Tree tree = space > 0 && space < bytes.length ? bytes[space] : null;
    if (tree == null) {
      throw new IllegalArgumentException("no byte-key tree: tree=" + space);
    }
    return tree;
  }

  /** The tree that holds an owner's edges now. */
  public Tree ofOwner(long owner) {
    return forest.edges(owner);
  }

  @Override
  public Tree tree(long owner) {
    return forest.edges(owner);
  }

  /** The objects that the calling thread uses again and again. */
  public ReadBuffers spares() {
    return spares.get();
  }

  /** The reader of neighbours for the calling thread. */
  public NeighbourReader neighbourReader() {
    return neighbourReaders.get();
  }

  /** The trees of a space that spans several: those of all edges. */
  public List<Tree> ofAllEdges() {
    return forest.edgeTrees();
  }

  /**
   * The value of a key at a snapshot, null if it is absent.
   *
   * @param read filled on the way
   */
  public byte[] value(int space, byte[] key, long snapshot, PageRead read) {
    byte[] missing = null;
    while (true) {
      Version version = read.version();
      if (!of(space, key).get(key, snapshot, read) || version.isTombstone()) {
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

  /** Whether a key is there at a snapshot. Reads no values. */
  public boolean exists(int space, byte[] key, long snapshot, PageRead read) {
    return of(space, key).find(key, snapshot, read) && !read.version().isTombstone();
  }

  /**
   * Whether a version newer than {@code stamp} of a key with {@code low <= key < high} has been
   * applied.
   */
  public boolean changedAfter(int space, byte[] low, byte[] high, long stamp) {
    if (space != KeySpace.EDGES || KeySpace.isOneStripe(space, low, high)) {
      Tree tree = space == KeySpace.EDGES ? forest.edges(EdgeKey.owner(low)) : ofSpace(space);
      return tree.changedAfter(low, high, stamp);
    }
    for (Tree tree : forest.edgeTrees()) {
      if (tree.changedAfter(low, high, stamp)) {
        return true;
      }
    }
    return false;
  }
}
