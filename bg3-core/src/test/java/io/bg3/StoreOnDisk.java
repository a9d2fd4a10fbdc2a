package io.bg3;

import io.bg3.core.graph.GraphStore;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.List;

/**
 * A whole store on any disk, for tests that are not in its package: what they put in need not be a
 * graph.
 */
public final class StoreOnDisk implements AutoCloseable {
  private final Bg3 store;

  private StoreOnDisk(Bg3 store) {
    this.store = store;
  }

  /** Opens the store that the disk holds, or makes one. */
  public static StoreOnDisk open(Settings settings, Disk disk) throws IOException {
    return new StoreOnDisk(Bg3.open(settings, disk));
  }

  /** Its transactions. */
  public TransactionManager transactions() {
    return store.transactions();
  }

  /** Its graph. */
  public GraphStore graph() {
    return store.graph();
  }

  /** The faults that a check of the store finds, if it holds a graph. */
  public List<String> checkGraph() {
    return store.check(looked -> {});
  }

  /** Takes a checkpoint. */
  public void checkpoint() throws IOException {
    store.checkpoint();
  }

  /** Takes all leaves out of memory that are stored as they are; says how many. */
  public int evict() {
    return store.evict();
  }

  /** Moves leaves in memory to other blocks; says how many. */
  public long move() {
    return store.move();
  }

  /** Takes the values of all leaves of edges out of memory that can go; says of how many. */
  public int evictValues() {
    return store.evictValues();
  }

  /** Writes some leaves that changed, and no manifest; says how many. */
  public int flush(int most) throws IOException {
    return store.flush(most);
  }

  /** The faults of trees, images and values; whether they make a graph is not checked. */
  public List<String> check() {
    return store.checkPages(looked -> {});
  }

  /** Sizes. */
  public StoreStats stats() {
    return store.stats();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
