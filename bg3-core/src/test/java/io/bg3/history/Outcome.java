package io.bg3.history;

/** The outcome of a transaction, as its client was told. */
public enum Outcome {
  /** It was acknowledged: its writes have to be there. */
  COMMITTED,
  /** It was refused or rolled back: nobody may ever see its writes. */
  ABORTED,
  /** No answer came, or one that says nothing: all of its writes may be there, or none. */
  UNKNOWN
}
