package io.bg3.bench.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Directories of stores: how large, copied, deleted. */
public final class StoreFiles {
  /** The names of the log files of BG3 and RocksDB; LMDB has none. */
  private static final String LOG = "log-[0-9a-f]{16}|[0-9]+\\.log";

  private StoreFiles() {}

  /** Bytes of all files but the log's. The store may be open: files come and go meanwhile. */
  static long bytesWithoutLog(Path directory) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!file.getFileName().toString().matches(LOG)) {
              bytes.addAndGet(attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // deleted or renamed right now
            }
            throw failure;
          }
        });
    return bytes.get();
  }

  /** Copies a directory with everything in it. */
  public static void copy(Path from, Path to) throws IOException {
    for (Path file : list(from)) {
      Path copy = to.resolve(from.relativize(file));
      if (Files.isDirectory(file)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Deletes a directory with everything in it, if it is there. */
  public static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      for (Path file : list(directory).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
