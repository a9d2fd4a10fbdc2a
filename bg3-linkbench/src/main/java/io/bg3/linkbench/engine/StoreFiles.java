package io.bg3.linkbench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a store, for its size. */
final class StoreFiles {
  private StoreFiles() {}

  /** Bytes of all files in a directory; files come and go meanwhile. */
  static long bytes(String directory) {
    try (Stream<Path> files = Files.walk(Path.of(directory))) {
      return files.mapToLong(StoreFiles::size).sum();
    } catch (IOException e) {
      return -1;
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // deleted right now
    }
  }
}
