package io.bg3.server.hostile;

import java.util.List;

/**
 * The server that is attacked.
 *
 * @param port of WebSockets
 * @param httpPort of queries by HTTP
 * @param users whether clients have to log in
 */
public record Target(int port, int httpPort, boolean users) {
  /** A user that writes, and whom guessers of passwords know. */
  public static final String WRITER = "ada";

  /** An honest user that reads. */
  public static final String READER = "bob";

  /** The users that attackers have: they read. */
  public static final List<String> READERS = List.of("mallory", "eve", "trudy", "oscar");

  /** The label and the property key of everything that attackers try to write. */
  public static final String MARK = "marked";

  /** The password of a user. */
  public static String password(String user) {
    return user + "-secret";
  }
}
