package io.bg3.server.access;

import io.bg3.storage.file.PathStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The file of users: one line {@code name:role:hash}, {@code name:role:hash:limits} or {@code
 * name:role:hash:limits:graphs} per user, with limits as in {@link UserLimits}, which may be empty,
 * and the roles on single graphs as in {@link GraphRoles}. Lines that begin with # are comments; a
 * write drops them.
 *
 * <p>A write replaces the whole file atomically, and only the owner can read the file. Threads:
 * any. If two threads or processes write at once, one of the changes is lost.
 */
public final class UsersFile {
  private final Path file;

  /** Creates the handle of a file, which need not exist yet. */
  public UsersFile(Path file) {
    this.file = file.toAbsolutePath().normalize();
  }

  /** The absolute path of the file. */
  public Path path() {
    return file;
  }

  /**
   * Reads all users.
   *
   * @return the users by name, sorted by name
   * @throws IOException if the file does not exist, cannot be read, or has a line that is not
   *     valid; the message names the line
   */
  public Map<String, User> read() throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "file of users does not exist: file="
              + file
              + "\n'bg3 user add NAME --file FILE' makes one.",
          e);
    } catch (IOException e) {
      throw new IOException("cannot read the users: file=" + file, e);
    }
    Map<String, User> users = new TreeMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        User user = parse(line, i + 1);
        if (users.put(user.name(), user) != null) {
          throw new IOException(
              "user occurs twice: file=" + file + ", line=" + (i + 1) + ", name=" + user.name());
        }
      }
    }
    return users;
  }

  private User parse(String line, int number) throws IOException {
    String[] parts = line.split(":", -1);
    try {
      if (parts.length < 3 || parts.length > 5) {
        throw new IllegalArgumentException(
            "not name:role:hash, name:role:hash:limits or name:role:hash:limits:graphs");
      }
      return new User(
          parts[0],
          Role.of(parts[1]),
          parts[2],
          parts.length < 4 ? UserLimits.NONE : UserLimits.of(parts[3]),
          parts.length < 5 ? GraphRoles.NONE : GraphRoles.of(parts[4]));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "line is not a user: file=" + file + ", line=" + number + ", problem=" + e.getMessage(),
          e);
    }
  }

  /**
   * The user with this name; empty if there is none, or no file.
   *
   * @throws IOException as of {@link #read}, but for a file that does not exist
   */
  public Optional<User> find(String name) throws IOException {
    return PathStatus.of(file) == PathStatus.ABSENT
        ? Optional.empty()
        : Optional.ofNullable(read().get(name));
  }

  /**
   * Adds a user, or replaces the user with this name.
   *
   * @return whether a user was replaced
   * @throws IOException if the file cannot be read or written
   */
  public boolean put(User user) throws IOException {
    boolean isNew = PathStatus.of(file) == PathStatus.ABSENT; // an unreadable file is not replaced
    Map<String, User> users = isNew ? new TreeMap<>() : read();
    boolean replaced = users.put(user.name(), user) != null;
    write(users);
    return replaced;
  }

  /**
   * Removes a user.
   *
   * @return whether the user existed
   * @throws IOException if the file cannot be read or written
   */
  public boolean remove(String name) throws IOException {
    Map<String, User> users = read();
    boolean removed = users.remove(name) != null;
    if (removed) {
      write(users);
    }
    return removed;
  }

  private void write(Map<String, User> users) throws IOException {
    List<String> lines = new ArrayList<>();
    for (User user : users.values()) {
      String limits = user.limits().text();
      String graphs = user.graphs().text();
      lines.add(
          user.name()
              + ":"
              + user.role().text()
              + ":"
              + user.hash()
              + (limits.isEmpty() && graphs.isEmpty() ? "" : ":" + limits)
              + (graphs.isEmpty() ? "" : ":" + graphs));
    }
    Files.createDirectories(file.getParent());
    Path written =
        Files.createTempFile(
            file.getParent(),
            file.getFileName().toString(),
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.write(written, lines, StandardCharsets.UTF_8);
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
