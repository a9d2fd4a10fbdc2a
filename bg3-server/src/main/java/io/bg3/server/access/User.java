package io.bg3.server.access;

import io.bg3.server.log.Printable;
import java.util.regex.Pattern;

/**
 * A user who may log in; a line of a {@link UsersFile}.
 *
 * @param name 1 to 64 characters: letters, digits, dots, hyphens, underscores and at-signs
 * @param role the user's rights
 * @param hash the BCrypt hash of the password
 */
public record User(String name, Role role, String hash) {
  /** The most characters of a name. */
  static final int LONGEST_NAME = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1," + LONGEST_NAME + "}");

  /**
   * Checks the name and the hash.
   *
   * @throws IllegalArgumentException if the name or the hash is not valid
   */
  public User {
    requireName(name);
    Passwords.requireHash(hash);
  }

  /**
   * Creates a user with a new password.
   *
   * @throws IllegalArgumentException if the name is not valid, or the password is too short or too
   *     long
   */
  public static User of(String name, Role role, char[] password) {
    requireName(name);
    return new User(name, role, Passwords.hash(password));
  }

  /**
   * Checks the name of a user.
   *
   * @throws IllegalArgumentException if the name is not valid
   */
  public static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "user name is not valid: name="
              + Printable.of(name, 100)
              + ", allowed=1 to 64 letters, digits or any of . _ @ -");
    }
  }

  /** Leaves out the hash, so that it does not get into a log. */
  @Override
  public String toString() {
    return name + " (" + role.text() + ")";
  }
}
