package io.bg3.server.access;

/**
 * Whether a server takes requests: not before its ports are open, and not from the moment on at
 * which it is told to stop. Threads: any.
 */
public final class Readiness {
  private volatile boolean ready;

  /** Says so from now on. */
  public void set(boolean ready) {
    this.ready = ready;
  }

  /** Whether it takes requests. */
  public boolean isReady() {
    return ready;
  }
}
