package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.storage.file.StoreInUseException;
import java.io.IOException;

/** Opens stores for commands that need them for themselves. */
final class OpenStore {
  private OpenStore() {}

  static Bg3 open(Settings settings) throws IOException {
    try {
      return Bg3.open(settings);
    } catch (StoreInUseException e) {
      throw inUse(e);
    }
  }

  /** What a store in use means for who gave the command. */
  static IOException inUse(StoreInUseException e) {
    return new IOException(
        e.getMessage() + "\nOne process at a time opens a store: stop that one first.", e);
  }
}
