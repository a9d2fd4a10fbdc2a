package io.bg3.server.access;

import io.bg3.server.log.Printable;
import java.util.regex.Pattern;

/**
 * A user who may log in; a line of a {@link UsersFile}.
 *
 * @param name 1 to 64 characters: letters, digits, dots, hyphens, underscores and at-signs
 * @param role the user's rights on graphs that {@code graphs} does not name
 * @param hash the BCrypt hash of the password
 * @param limits of the user's queries
 * @param graphs the user's rights on single graphs
 */
public record User(String name, Role role, String hash, UserLimits limits, GraphRoles graphs) {
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

  /** A user without limits of its own. */
  public User(String name, Role role, String hash) {
    this(name, role, hash, UserLimits.NONE, GraphRoles.NONE);
  }

  /**
   * Creates a user with a new password and without limits of its own.
   *
   * @throws IllegalArgumentException if the name is not valid, or the password is too short or too
   *     long
   */
  public static User of(String name, Role role, char[] password) {
    requireName(name);
    return new User(name, role, Passwords.hash(password));
  }

  /** The same user with other limits. */
  public User limited(UserLimits other) {
    return new User(name, role, hash, other, graphs);
  }

  /** The same user with other roles on single graphs. */
  public User onGraphs(GraphRoles other) {
    return new User(name, role, hash, limits, other);
  }

  /** The same user with another general role. */
  public User as(Role other) {
    return new User(name, other, hash, limits, graphs);
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
    String limited = limits.text();
    String single = graphs.text();
    return name
        + " ("
        + role.text()
        + (single.isEmpty() ? "" : "; " + single)
        + ")"
        + (limited.isEmpty() ? "" : " " + limited);
  }
}
