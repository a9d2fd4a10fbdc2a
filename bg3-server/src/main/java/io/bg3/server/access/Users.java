package io.bg3.server.access;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users who may log in, as their file said when it was last looked at. {@link
 * LoggedInConnections} has it looked at each second, so that a user that is removed is out without
 * a restart. While the file cannot be read, what was read last holds, and the log says so.
 *
 * <p>Threads: any. Only {@link #refresh} may wait for a disk.
 */
public final class Users {
  private static final Logger LOG = LoggerFactory.getLogger(Users.class);

  /** The result of one reading of the file. */
  private record AutoRead(Object version, Map<String, User> users, int cost, String nobodys) {}

  private final UsersFile file;
  private volatile AutoRead reading;
  private String problem = ""; // of the last look

  private Users(UsersFile file) throws IOException {
    this.file = file;
    this.reading = read(version(), new AutoRead("", Map.of(), -1, ""));
  }

  /**
   * Reads the users of a server.
   *
   * @throws IOException if there is no file, it cannot be read, or has no user
   */
  public static Users open(UsersFile file) throws IOException {
    Users users = new Users(file);
    if (users.reading.users.isEmpty()) {
      throw new IOException(
          "no client could log in, because the file of users is empty: file="
              + file.path()
              + "\n'bg3 user add NAME --file FILE' adds one.");
    }
    return users;
  }

  /** The user of a name. */
  public Optional<User> user(String name) {
    return Optional.ofNullable(reading.users.get(name));
  }

  /** The account as the user is now; empty if the user is gone or has another password. */
  Optional<Account> account(Account before) {
    return user(before.getName()).filter(before::isOf).map(Account::new);
  }

  /** A hash that takes as long as a user's to be compared with, and matches no password. */
  String nobodys() {
    return reading.nobodys;
  }

  /** Looks whether the file has changed, and reads it if so. */
  synchronized void refresh() {
    try {
      Object version = version();
      if (!version.equals(reading.version)) {
        reading = read(version, reading);
      }
      problem = "";
    } catch (IOException e) {
      if (!problem.equals(e.getMessage())) { // and not each second
        LOG.warn("the server keeps the users that it has read before: {}", e.getMessage());
      }
      problem = String.valueOf(e.getMessage());
    }
  }

  /**
   * A hash of a high cost takes seconds to be made, so the one from before is kept if it can be.
   */
  private AutoRead read(Object version, AutoRead before) throws IOException {
    Map<String, User> users = file.read();
    int cost =
        users.values().stream().mapToInt(user -> Passwords.cost(user.hash())).max().orElse(4);
    String nobodys = cost == before.cost ? before.nobodys : Passwords.nobodys(cost);
    return new AutoRead(version, users, cost, nobodys);
  }

  private Object version() throws IOException {
    return FileVersion.of(file.path());
  }
}
