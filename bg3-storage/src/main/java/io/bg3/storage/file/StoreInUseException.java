package io.bg3.storage.file;

import java.io.IOException;
import java.nio.file.Path;

/** Another process, or another opening in this one, has the store. Says which. */
public final class StoreInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long pid;
  private final String host;

  StoreInUseException(Path directory, long pid, String host) {
    super(
        "store is in use: directory="
            + directory
            + ", pid="
            + (pid == LockHolder.UNKNOWN ? "unknown" : pid)
            + ", host="
            + host);
    this.pid = pid;
    this.host = host;
  }

  /** The id of the process that has the store, 0 if the lock file does not say. */
  public long pid() {
    return pid;
  }

  /** The host that process runs on, or {@code unknown}. */
  public String host() {
    return host;
  }
}
