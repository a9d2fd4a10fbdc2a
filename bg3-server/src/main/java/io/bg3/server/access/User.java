package io.bg3.server.access;

import io.bg3.server.log.Printable;
import java.util.regex.Pattern;

/**
 * Somebody who may log in, as a line of a {@link UsersFile}.
 *
 * @param name letters, digits, dots, hyphens, underscores and at-signs; at most 64
 * @param hash the password's BCrypt hash
 */
public record User(String name, Role role, String hash) {
  /** Characters of a name at most. */
  static final int LONGEST_NAME = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1," + LONGEST_NAME + "}");

  /**
   * Checks what was given.
   *
   * @throws IllegalArgumentException if the name or the hash is none
   */
  public User {
    requireName(name);
    Passwords.requireHash(hash);
  }

  /**
   * A user with a password.
   *
   * @throws IllegalArgumentException if the name is none, or the password too short or too long
   */
  public static User of(String name, Role role, char[] password) {
    requireName(name);
    return new User(name, role, Passwords.hash(password));
  }

  /**
   * Checks a name.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "not a user's name: name="
              + Printable.of(name, 100)
              + ", wanted=1 to 64 letters, digits or any of . _ @ -");
    }
  }

  /** Without the hash, which is nobody's business. */
  @Override
  public String toString() {
    return name + " (" + role.text() + ")";
  }
}
