package io.bg3.storage.file;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The number of files that this process may have open. */
public final class FileLimit {
  /** The assumed limit where the system does not say. */
  private static final long UNKNOWN = 1_024;

  private FileLimit() {}

  /**
   * The number of descriptors that the operating system allows the process ({@code ulimit -n});
   * 1,024 where it does not say.
   */
  public static long ofProcess() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            && unix.getMaxFileDescriptorCount() > 0
        ? unix.getMaxFileDescriptorCount()
        : UNKNOWN;
  }
}
