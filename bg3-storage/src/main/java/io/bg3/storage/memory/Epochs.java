package io.bg3.storage.memory;

/** Says when memory that readers could reach may be used again. */
public final class Epochs implements AutoCloseable {
  /**
   * Enters an epoch: what this thread reads from shared pointers from now on stays valid until it
   * leaves. May be nested.
   *
   * @return a ticket for {@link #exit}, to be given back by the same thread
   */
  public int enter() {
    return 0;
  }

  /**
   * Leaves the epoch. No address read inside may be used any more (unless an outer one is still
   * open).
   */
  public void exit(int ticket) {}

  /** Whether the calling thread is inside an epoch; for assertions before I/O and waiting. */
  public boolean inside() {
    return false;
  }

  /**
   * Frees the block when all readers that are now inside have left. No shared pointer may lead to
   * it any more.
   */
  public void retire(long address, BlockMemory memory) {}

  /**
   * Runs the action when all readers that are now inside have left; on any thread that retires or
   * reclaims.
   */
  public void retire(Runnable action) {}

  /** Frees what can be freed now, of all threads. Never waits. */
  public void reclaim() {}

  /**
   * Waits until all readers that were inside when it was called have left. The caller itself must
   * not be inside.
   *
   * @throws IllegalStateException if it is
   */
  public void awaitQuiescence() {}

  /** Bytes of blocks that are retired and not yet freed. */
  public long pending() {
    return 0;
  }

  /** Waits for quiescence and frees everything. */
  @Override
  public void close() {}
}
