package io.bg3.linkbench.engine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** The files of a store, for its size. */
final class StoreFiles {
  private StoreFiles() {}

  /** Bytes of all files in a directory, -1 if they cannot be told; files come and go meanwhile. */
  static long bytes(String directory) {
    AtomicLong bytes = new AtomicLong();
    try {
      Files.walkFileTree(
          Path.of(directory),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes.addAndGet(attributes.size());
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
    } catch (IOException e) {
      return -1;
    }
  }
}
