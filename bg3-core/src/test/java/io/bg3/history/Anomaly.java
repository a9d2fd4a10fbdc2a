package io.bg3.history;

/**
 * One proof that a history is not strictly serialisable.
 *
 * @param kind what it is called
 * @param text the transactions involved and why each must come before the next
 */
public record Anomaly(Kind kind, String text) {
  /** Names as in Adya's thesis and in what is usual with list-append histories. */
  public enum Kind {
    /** A value was read that nobody wrote. */
    GARBAGE,
    /** A value was read twice in one list or set. */
    DUPLICATE,
    /** Two reads of a key are not prefixes of one order. */
    INCOMPATIBLE_ORDER,
    /** A transaction did not see its own write. */
    INTERNAL,
    /** A value of an aborted transaction was read. */
    G1A,
    /** A value was read that its writer replaced in the same transaction. */
    G1B,
    /** An acknowledged write is in no later state of its key. */
    LOST_ACKNOWLEDGEMENT,
    /** Two transactions read the same version of a key and both wrote the next one. */
    LOST_UPDATE,
    /** A cycle of ww edges. */
    G0,
    /** A cycle of ww and rt edges. */
    G0_REALTIME,
    /** A cycle of ww and wr edges. */
    G1C,
    /** A cycle of ww, wr and rt edges. */
    G1C_REALTIME,
    /** A cycle with exactly one rw edge. */
    G_SINGLE,
    /** A cycle with exactly one rw edge, and rt edges: a stale read. */
    G_SINGLE_REALTIME,
    /** A cycle with several rw edges, none of them by a range: write skew. */
    G2_ITEM,
    /** A cycle with several rw edges, none of them by a range, and rt edges. */
    G2_ITEM_REALTIME,
    /**
     * A cycle with several rw edges, one at least by a key that a range did not return: a phantom.
     */
    G2,
    /** A cycle as G2, and rt edges. */
    G2_REALTIME
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
