package io.bg3.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a user may do. */
public enum Role {
  /** Reads; every request that contains a step that writes is refused. */
  READER,

  /** Reads and writes. */
  WRITER;

  /** The name as people write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The role of a name.
   *
   * @throws IllegalArgumentException if there is none, naming those there are
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
