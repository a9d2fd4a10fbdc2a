package io.bg3.core.forest;

/** Whether the degrees of an owner are kept, as far as its row in the directory says (R43). */
public enum KeptDegrees {
  /** They are kept: the newest version of the marker is there. */
  YES,
  /** They are not kept, and commits need not look for the marker. */
  NO,
  /** No commit has looked for the marker since it may have come or gone. */
  UNKNOWN
}
