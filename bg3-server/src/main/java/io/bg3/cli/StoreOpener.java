package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.storage.file.StoreInUseException;
import io.bg3.transfer.CountedInput;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Opens stores for commands that need exclusive access. */
final class StoreOpener {
  private StoreOpener() {}

  static Bg3 open(Settings settings) throws IOException {
    try {
      return Bg3.open(settings);
    } catch (StoreInUseException e) {
      throw inUse(e);
    } catch (IOException e) {
      throw failed(settings.text(Setting.DIRECTORY), e);
    }
  }

  /** Opens a store without changing any of its files. */
  static Bg3 openToRead(Settings settings) throws IOException {
    return open(settings.with(Setting.READ_ONLY, "true"));
  }

  /** Returns a failure whose message names the store. */
  static IOException failed(String directory, IOException e) {
    return new IOException(
        "cannot open the store: data="
            + directory
            + (e instanceof FileSystemException file ? ", file=" + file.getFile() : "")
            + ", reason="
            + CountedInput.reason(e),
        e);
  }

  /** Explains to the user that another process has the store open. */
  static IOException inUse(StoreInUseException e) {
    return new IOException(
        e.getMessage() + "\nOnly one process at a time can open a store: stop that one first.", e);
  }
}
