package io.bg3.server.guard;

/** A user of whom it is known what he may do; others may do what the guard lets anybody do. */
public interface Restricted {
  /** Whether his queries may contain steps that write. */
  boolean mayWrite();
}
