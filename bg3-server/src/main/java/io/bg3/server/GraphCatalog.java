package io.bg3.server;

import io.bg3.server.request.GraphName;
import io.bg3.storage.file.PathStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The file of the graphs that were created online, {@value #FILE} in the directory of their stores.
 * Each write replaces it as a whole and is durable when it returns.
 *
 * <pre>
 *   bg3 graphs 1
 *   NAME SHARE STATE      a line for each graph; STATE is one of {@link State}
 *   crc32c XXXXXXXX       of the bytes of all lines before, in hexadecimal
 * </pre>
 *
 * <p>The store of a graph is in the directory of its name beside the file.
 *
 * <p>Threads: one at a time.
 */
final class GraphCatalog {
  /** How far a graph is. */
  enum State {
    /** Its store may be incomplete, and nobody was told that it exists: it is deleted. */
    CREATING,
    /** It is served. */
    READY,
    /** Its store may be incomplete, and nobody reaches it: it is deleted. */
    DROPPING;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A line of the file. */
  record Entry(int share, State state) {}

  static final String FILE = "graphs";

  private static final String HEAD = "bg3 graphs 1";
  private static final String CHECKSUM = "crc32c ";
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;
  private Map<String, Entry> entries;

  private GraphCatalog(Path directory, Map<String, Entry> entries) {
    this.directory = directory;
    this.entries = entries;
  }

  /**
   * Reads the file in a directory, neither of which need exist. Changes nothing.
   *
   * @throws IOException if the file cannot be read, is damaged or of a newer version
   */
  static GraphCatalog read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (PathStatus.of(file) == PathStatus.ABSENT) {
      return new GraphCatalog(directory, Map.of());
    }
    String text = Files.readString(file, StandardCharsets.UTF_8);
    int end = text.lastIndexOf(CHECKSUM);
    String lines = end < 0 ? "" : text.substring(0, end);
    if (!text.startsWith(HEAD + "\n")) {
      throw damaged(file, "it does not begin with '" + HEAD + "', it may be of a newer version");
    }
    if (!text.equals(lines + checksum(lines))) {
      throw damaged(file, "its checksum does not match");
    }
    Map<String, Entry> entries = new TreeMap<>();
    for (String line : lines.lines().skip(1).toList()) {
      String[] parts = line.split(" ", -1);
      try {
        Entry entry =
            new Entry(Integer.parseInt(parts[1]), State.valueOf(parts[2].toUpperCase(Locale.ROOT)));
        entries.put(GraphName.require(parts[0]), entry);
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw damaged(file, "a line is not NAME SHARE STATE: line=" + line);
      }
    }
    return new GraphCatalog(directory, entries);
  }

  private static IOException damaged(Path file, String problem) {
    return new IOException(
        "cannot read the graphs that were created online: file="
            + file
            + ", problem="
            + problem
            + "\nRestore the file from a backup of its directory.");
  }

  private static String checksum(String lines) {
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + String.format(Locale.ROOT, "%08x", crc.getValue()) + "\n";
  }

  /** The graphs by name, sorted. */
  Map<String, Entry> entries() {
    return entries;
  }

  /** The directory of the store of a graph. */
  Path store(String graph) {
    return directory.resolve(graph);
  }

  /**
   * Checks that a graph can be created under a name. Some file systems do not tell upper case from
   * lower case, and what is in its directory already would be taken for its store.
   *
   * @throws IllegalArgumentException if another graph or a file has its name, or nearly
   * @throws IOException if it cannot be found out
   */
  void requireFree(String graph) throws IOException {
    entries.forEach(
        (other, entry) -> {
          if (other.equalsIgnoreCase(graph)) {
            throw new IllegalArgumentException(
                "a graph of this name exists already, or of one that differs in upper and lower"
                    + " case alone: graph="
                    + graph
                    + ", existing="
                    + other
                    + ", state="
                    + entry.state().text()
                    + "; one that is not ready is deleted by the next start");
          }
        });
    if (graph.equalsIgnoreCase(FILE)) {
      throw new IllegalArgumentException(
          "a graph that is created online cannot have the name of the file of these graphs: graph="
              + graph);
    }
    if (PathStatus.of(store(graph)) != PathStatus.ABSENT) {
      throw new IllegalArgumentException(
          "there is something in the place of the new graph's directory; move it away: graph="
              + graph
              + ", path="
              + store(graph));
    }
  }

  /** Adds or replaces a graph. When this throws, the file is as before, or has the change. */
  void put(String graph, int share, State state) throws IOException {
    Map<String, Entry> changed = new TreeMap<>(entries);
    changed.put(graph, new Entry(share, state));
    write(changed);
  }

  /** Removes a graph, whose store is deleted. */
  void remove(String graph) throws IOException {
    Map<String, Entry> changed = new TreeMap<>(entries);
    changed.remove(graph);
    write(changed);
  }

  private void write(Map<String, Entry> changed) throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEAD));
    changed.forEach(
        (graph, entry) -> lines.add(graph + " " + entry.share() + " " + entry.state().text()));
    String text = String.join("\n", lines) + "\n";
    if (PathStatus.of(directory) == PathStatus.ABSENT) {
      Files.createDirectories(directory, PRIVATE_DIRECTORY);
      syncDirectory(directory.getParent());
    }
    Path written = directory.resolve(FILE + ".new");
    Files.deleteIfExists(written);
    Files.createFile(written, PRIVATE_FILE);
    try (FileChannel file = FileChannel.open(written, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text + checksum(text));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    Files.move(
        written,
        directory.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    entries = changed;
    syncDirectory(directory);
  }

  /**
   * Deletes the files of a graph's store, which nobody has open, and then its directory.
   *
   * @throws IOException if a file cannot be deleted, or is not one of a store
   */
  void delete(String graph) throws IOException {
    Path store = store(graph);
    if (PathStatus.of(store) == PathStatus.ABSENT || graph.equalsIgnoreCase(FILE)) {
      return; // earlier releases accepted the name of the file, and left an entry of it
    }
    List<Path> files;
    try (var all = Files.list(store)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.delete(file); // a directory among them is no store's, and stays if it is not empty
    }
    Files.delete(store);
    syncDirectory(directory);
  }

  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
