package io.bg3.bench.store;

import java.nio.file.Path;

/**
 * The options with which every system is opened.
 *
 * @param directory its own
 * @param memory bytes for everything it keeps in memory
 * @param sync the durability of its commits
 */
public record StoreOptions(Path directory, long memory, Sync sync) {}
