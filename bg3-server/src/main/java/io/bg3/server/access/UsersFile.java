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
import java.util.TreeMap;

/**
 * The file of those who may log in: a line {@code name:role:hash} for each; lines that begin with #
 * are comments, and are lost when the file is written.
 *
 * <p>It is replaced as a whole, and readable by its owner only. Threads: any; of two processes that
 * change it at once, one is lost.
 */
public final class UsersFile {
  private final Path file;

  /** The file at a path, which need not be there yet. */
  public UsersFile(Path file) {
    this.file = file.toAbsolutePath().normalize();
  }

  /** Where it is. */
  public Path path() {
    return file;
  }

  /**
   * Reads it.
   *
   * @return users by name, in order of their names
   * @throws IOException if it is missing or cannot be read, or naming the line that is wrong
   */
  public Map<String, User> read() throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "there is no file of users: file="
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
              "a user stands there twice: file="
                  + file
                  + ", line="
                  + (i + 1)
                  + ", name="
                  + user.name());
        }
      }
    }
    return users;
  }

  private User parse(String line, int number) throws IOException {
    String[] parts = line.split(":", -1);
    try {
      if (parts.length != 3) {
        throw new IllegalArgumentException("not name:role:hash");
      }
      return new User(parts[0], Role.of(parts[1]), parts[2]);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "a line is not a user's: file="
              + file
              + ", line="
              + number
              + ", problem="
              + e.getMessage(),
          e);
    }
  }

  /**
   * Adds a user, or replaces the one of the name.
   *
   * @return whether there was one
   */
  public boolean put(User user) throws IOException {
    boolean isNew = PathStatus.of(file) == PathStatus.ABSENT; // and not one that cannot be read
    Map<String, User> users = isNew ? new TreeMap<>() : read();
    boolean replaced = users.put(user.name(), user) != null;
    write(users);
    return replaced;
  }

  /**
   * Removes a user.
   *
   * @return whether there was one
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
      lines.add(user.name() + ":" + user.role().text() + ":" + user.hash());
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
