package io.bg3.core.graph;

/** The state of a {@link LabelSchema}. */
public enum SchemaState {
  /**
   * Commits that break a rule are refused, and the elements from before are looked at. After an
   * opening it begins anew.
   */
  VERIFYING,

  /** All elements meet the rules, and commits that break one are refused. */
  ENFORCED,

  /**
   * Elements from before break a rule, or could not be read: nothing is refused. Defining the same
   * again, or the next opening, verifies it again.
   */
  FAILED
}
