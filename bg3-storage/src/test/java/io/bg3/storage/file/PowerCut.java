package io.bg3.storage.file;

/**
 * The power is gone: what a {@link CrashingDisk} throws from the cut on, at every thread that
 * touches it.
 */
public final class PowerCut extends Error {
  private static final long serialVersionUID = 1L;

  PowerCut(String site) {
    super(site, null, false, false);
  }
}
