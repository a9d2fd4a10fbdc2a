package io.bg3.core.tree;

import io.bg3.core.table.Pins;

/**
 * Says what the search for the leaves of a commit may do to get them, and to keep them in memory
 * (R29). Belongs to the thread that commits.
 */
public interface LeafAdmission {
  /** A search waits until the budget refuses the memory, which fails the commit. */
  long UNTIL_REFUSED = Long.MAX_VALUE;

  /** The number of the registration that lasts until the entries have been applied. */
  long pin();

  /**
   * How long the search may wait for the memory of a leaf while it keeps others: milliseconds, 0 to
   * wait for none, or {@link #UNTIL_REFUSED}. A search that gets no memory in this time ends.
   */
  long patienceMillis();

  /**
   * Asked for each leaf that has been pinned, outside of epochs; may wait where the search may.
   *
   * @param bytes about what the leaf takes of the memory budget
   * @return false if the commit is to let go of its leaves, and try again later
   */
  boolean keeps(long bytes);

  /**
   * Whether the commit keeps so little that a leaf without its values may count as a full page. A
   * commit that keeps more loads its leaves as a whole, which count by their size (R29).
   */
  boolean keepsLittle();

  /** Admission of a commit that waits wherever it has to, and keeps what it has found. */
  static LeafAdmission unbounded(Pins.Registration registration) {
    return of(registration, true);
  }

  /** Admission of a search that waits for no memory, and keeps what it has found. */
  static LeafAdmission withoutWaiting(Pins.Registration registration) {
    return of(registration, false);
  }

  private static LeafAdmission of(Pins.Registration registration, boolean waits) {
    return new LeafAdmission() {
      @Override
      public long pin() {
        return registration.number();
      }

      @Override
      public long patienceMillis() {
        return waits ? UNTIL_REFUSED : 0;
      }

      @Override
      public boolean keeps(long bytes) {
        return true;
      }

      @Override
      public boolean keepsLittle() {
        return true;
      }
    };
  }
}
