package io.bg3.server.guard;

/** A user whose rights are known. A user that does not implement this interface may write. */
public interface RestrictedUser {
  /** Whether the user may query the graph; the server denies to others that it exists. */
  boolean mayRead(String graph);

  /** Whether the user's queries of the graph may contain steps that write. */
  boolean mayWrite(String graph);

  /** Whether the user may see and end the queries of other users, and manage the server. */
  boolean mayAdminister();
}
