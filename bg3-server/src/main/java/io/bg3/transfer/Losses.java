package io.bg3.transfer;

/** What a format cannot hold: refused, or counted. One thread. */
public final class Losses {
  private final boolean allowed;
  private long count;

  /** Allows losses, or refuses the first. */
  public Losses(boolean allowed) {
    this.allowed = allowed;
  }

  /** The same decision with a count of its own, for going through a graph once more. */
  public Losses again() {
    return new Losses(allowed);
  }

  /**
   * Meets something that the format does not hold.
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

  /** How many were met. */
  public long count() {
    return count;
  }
}
