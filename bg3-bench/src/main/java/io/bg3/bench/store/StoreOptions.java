package io.bg3.bench.store;

import java.nio.file.Path;
import java.util.Map;

/**
 * The options with which every system is opened.
 *
 * @param directory its own
 * @param memory bytes for everything it keeps in memory
 * @param sync the durability of its commits
 * @param direct whether data is read past the system's cache, so that {@code memory} is all that
 *     caches it
 * @param lifetime which edges expire; for BG3 and RocksDB
 * @param blobs whether RocksDB keeps values in blob files
 * @param settings further settings of BG3, by their keys
 */
public record StoreOptions(
    Path directory,
    long memory,
    Sync sync,
    boolean direct,
    Lifetime lifetime,
    boolean blobs,
    Map<String, String> settings) {
  /** Options with BG3's default settings, for a store whose edges stay. */
  public StoreOptions(Path directory, long memory, Sync sync, boolean direct) {
    this(directory, memory, sync, direct, Lifetime.NONE, false, Map.of());
  }
}
