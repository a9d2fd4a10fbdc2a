package io.bg3.server.guard;

/** A user whose rights are known. A user that does not implement this interface may write. */
public interface RestrictedUser {
  /** Whether the user's queries may contain steps that write. */
  boolean mayWrite();

  /** Whether the user may see and end the queries of other users. */
  boolean mayAdminister();
}
