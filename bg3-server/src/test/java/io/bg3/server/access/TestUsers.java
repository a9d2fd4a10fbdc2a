package io.bg3.server.access;

import java.io.IOException;
import java.nio.file.Path;

/** Users whose passwords are their names with {@code -secret}, hashed at the least cost. */
public final class TestUsers {
  /** The hash of nobody's password. */
  static final String HASH =
      "$2b$04$" + "abcdefghijklmnopqrstuv" + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcde";

  private TestUsers() {}

  /** A user with a password that is checked quickly. */
  public static User user(String name, Role role) {
    return new User(name, role, Passwords.hash((name + "-secret").toCharArray(), 4));
  }

  /** Writes a file with a writer, ada, and a reader, bob. */
  public static UsersFile write(Path file) throws IOException {
    UsersFile users = new UsersFile(file);
    users.put(user("ada", Role.WRITER));
    users.put(user("bob", Role.READER));
    return users;
  }
}
