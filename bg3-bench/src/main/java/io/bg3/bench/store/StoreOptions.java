package io.bg3.bench.store;

import java.nio.file.Path;

/**
 * The options with which every system is opened.
 *
 * @param directory its own
 * @param memory bytes for everything it keeps in memory
 * @param sync the durability of its commits
 * @param direct whether data is read past the system's cache, so that {@code memory} is all that
 *     caches it
 */
public record StoreOptions(Path directory, long memory, Sync sync, boolean direct) {}
