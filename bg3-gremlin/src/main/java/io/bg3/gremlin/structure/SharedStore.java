package io.bg3.gremlin.structure;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreStats;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The store under a graph. A directory is opened once in a process: graphs that name the same one
 * with the same settings share the store, and the last of them to close closes it.
 *
 * <p>{@code users} and {@code OPEN} are guarded by the class.
 */
final class SharedStore {
  private static final Map<Path, SharedStore> OPEN = new HashMap<>();

  private final Path directory;
  private final Settings settings;
  private final Bg3 store;
  private int users = 1;

  private SharedStore(Path directory, Settings settings) {
    this.directory = directory;
    this.settings = settings;
    try {
      this.store = Bg3.open(settings);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open the store: " + e.getMessage(), e);
    }
  }

  /**
   * Opens the store that the settings name, or shares the one that this process has open.
   *
   * @throws IllegalStateException if this process has it open with other settings
   * @throws UncheckedIOException if it cannot be opened, for instance because another process has
   *     it open, which the cause then names
   */
  static synchronized SharedStore open(Settings settings) {
    String text = settings.text(Setting.DIRECTORY);
    if (text.isEmpty()) {
      return new SharedStore(null, settings);
    }
    Path directory = Path.of(text).toAbsolutePath().normalize();
    SharedStore shared = OPEN.get(directory);
    if (shared == null) {
      shared = new SharedStore(directory, settings);
      OPEN.put(directory, shared);
      return shared;
    }
    if (!shared.settings.toString().equals(settings.toString())) {
      throw new IllegalStateException(
          "the store is open in this process with other settings: directory="
              + directory
              + ", open="
              + shared.settings
              + ", wanted="
              + settings);
    }
    shared.users++;
    return shared;
  }

  void close() {
    synchronized (SharedStore.class) {
      if (--users > 0) {
        return;
      }
      if (directory != null) {
        OPEN.remove(directory);
      }
      try {
        store.close();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close the store: " + e.getMessage(), e);
      }
    }
  }

  boolean isPersistent() {
    return directory != null;
  }

  GraphTransaction begin() {
    return store.graph().begin();
  }

  StoreStats stats() {
    return store.stats();
  }

  Optional<Throwable> failure() {
    return store.failure();
  }

  GraphStore graph() {
    return store.graph();
  }

  @Override
  public String toString() {
    return directory == null ? "memory" : directory.toString();
  }
}
