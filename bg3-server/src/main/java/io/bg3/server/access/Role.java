package io.bg3.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rights of a user, in general or on one graph. */
public enum Role {
  /** May do nothing. The server denies that a graph exists on which a user has this role. */
  NONE,

  /** May read. The server refuses each request that contains a step that writes. */
  READER,

  /** May read and write. */
  WRITER,

  /** May read and write, see and end the queries of all users, and manage the server. */
  ADMIN;

  /** The name of the role in files and on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The role with this name.
   *
   * @throws IllegalArgumentException if no role has the name; the message lists the roles
   */
  public static Role of(String text) {
    for (Role role : values()) {
      if (role.text().equals(text)) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "unknown role: role="
            + text
            + ", known="
            + Arrays.stream(values()).map(Role::text).collect(Collectors.joining("|")));
  }
}
