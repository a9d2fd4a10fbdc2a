package io.bg3.transfer;

/**
 * Refuses or counts the parts of a graph that a format cannot hold.
 *
 * <p>Threads: one.
 */
public final class Losses {
  private final boolean allowed;
  private long count;

  /** Creates a counter that allows losses, or that refuses the first. */
  public Losses(boolean allowed) {
    this.allowed = allowed;
  }

  /**
   * A counter that also allows or refuses losses and begins at 0, for another pass over the graph.
   */
  public Losses again() {
    return new Losses(allowed);
  }

  /**
   * Records a loss.
   *
   * @param what the reason, with the element and the key
   * @throws LossException if losses are not allowed
   */
  public void meet(String what) throws LossException {
    if (!allowed) {
      throw new LossException(
          what
              + "\n"
              + "Another format may hold it (gryo holds most); --lossy exports what can be"
              + " held.");
    }
    count++;
  }

  /** The number of losses. */
  public long count() {
    return count;
  }
}
