package io.bg3.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory of the file system. Where the file system knows owners, only the owner may look: the
 * directory has mode 0700 and files have 0600.
 */
public final class RealDisk implements Disk {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final FileAttribute<?>[] PRIVATE_DIRECTORY = permissions("rwx------");
  static final FileAttribute<?>[] PRIVATE_FILE = permissions("rw-------");

  private final Path directory;
  private final boolean writes;
  private final DirectReads directReads;

  private RealDisk(Path directory, boolean writes) {
    this.directory = directory;
    this.writes = writes;
    this.directReads = new DirectReads(directory);
  }

  /**
   * Opens the directory and creates it, and what is missing above it, if it is not there. A new
   * directory holds after a power cut when this returns; what is missing above it is created as the
   * process's umask has it.
   */
  public static RealDisk open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    if (PathStatus.of(absolute) != PathStatus.DIRECTORY) {
      Path parent = absolute.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.createDirectory(absolute, PRIVATE_DIRECTORY);
      if (parent != null) {
        syncDirectory(parent);
      }
    }
    return new RealDisk(absolute, true);
  }

  /**
   * Opens a directory that is there, to read its files: they are opened for reading only, so that a
   * read-only file system will do.
   *
   * @throws NotDirectoryException if it is not there, or is something else
   */
  public static RealDisk openToRead(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    if (PathStatus.of(absolute) != PathStatus.DIRECTORY) {
      throw new NotDirectoryException(absolute.toString());
    }
    return new RealDisk(absolute, false);
  }

  /** The absolute path of the directory. */
  public Path directory() {
    return directory;
  }

  @Override
  public DiskFile create(String name) throws IOException {
    Path path = path(name);
    Files.createFile(path, PRIVATE_FILE);
    return new RealFile(name, path, writes, directReads);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new RealFile(name, path(name), writes, directReads);
  }

  @Override
  public boolean exists(String name) throws IOException {
    if (PathStatus.of(path(name), LinkOption.NOFOLLOW_LINKS) != PathStatus.ABSENT) {
      return true;
    }
    if (PathStatus.of(directory) != PathStatus.DIRECTORY) { // then nothing is known of its files
      throw new NotDirectoryException(directory.toString());
    }
    return false;
  }

  @Override
  public List<String> list() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (PathStatus.of(file) == PathStatus.FILE) {
          names.add(file.getFileName().toString());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(path(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        path(from), path(to), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void syncDirectory() throws IOException {
    syncDirectory(directory);
  }

  @Override
  public long usableBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  @Override
  public String describe(String name) {
    return path(name).toString();
  }

  @Override
  public void close() {}

  private Path path(String name) {
    return directory.resolve(FileNames.checked(name));
  }

  private static void syncDirectory(Path directory) throws IOException {
    IoThreads.call(
        () -> {
          try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
          }
          return null;
        });
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    if (!POSIX) {
      return new FileAttribute<?>[0];
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }
}
