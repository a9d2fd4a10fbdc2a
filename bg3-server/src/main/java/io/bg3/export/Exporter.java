package io.bg3.export;

import io.bg3.storage.file.PathStatus;
import io.bg3.transfer.CountedInput;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.DefinitionsFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Writes a graph to a temporary file or directory beside the target, and renames it to the target
 * when it is complete and on the disk. The definitions of the graph are a file in the directory, or
 * one beside the file, which is renamed first (X3). If the JVM stops during an export, a shutdown
 * hook removes the incomplete files.
 *
 * <p>Threads: one.
 */
public final class Exporter {
  private final GraphFileWriter writer;
  private final Path target;
  private final DefinitionsFile definitionsFile;
  private final boolean force;

  /**
   * Creates an exporter.
   *
   * @param target the file, or the directory for a format that has several
   * @param force whether to replace an existing target
   */
  public Exporter(GraphFileWriter writer, Path target, boolean force) {
    this.writer = writer;
    this.target = target.toAbsolutePath().normalize();
    this.definitionsFile =
        writer.makesDirectory()
            ? DefinitionsFile.in(this.target)
            : DefinitionsFile.beside(this.target);
    this.force = force;
  }

  /** The file to which definitions are written. */
  public Path definitionsFile() {
    return definitionsFile.path();
  }

  /**
   * Checks that the target can be written.
   *
   * @throws TransferException if the target or its file of definitions exists and must not be
   *     replaced, if one of them is not of an export, if the name of the target is that of a file
   *     of definitions, or if its parent directory does not exist
   */
  public void check() throws IOException {
    Path parent = target.getParent();
    if (parent == null || PathStatus.of(parent) != PathStatus.DIRECTORY) {
      throw new TransferException(
          "there is no directory to write to: directory=" + parent + "\nMake it first.");
    }
    if (!Files.isWritable(parent)) {
      throw new TransferException("cannot write: directory=" + parent + ", reason=no permission");
    }
    if (!writer.makesDirectory() && DefinitionsFile.isName(target)) {
      throw new TransferException(
          "this is the name of a file of definitions, which load does not read as a graph: target="
              + target
              + "\nName another target.");
    }
    PathStatus there = PathStatus.of(target);
    if (there == PathStatus.ABSENT
        && PathStatus.of(definitionsFile(), LinkOption.NOFOLLOW_LINKS) == PathStatus.ABSENT) {
      return;
    }
    if (!force) {
      throw new TransferException(
          there == PathStatus.ABSENT
              ? "the file of definitions exists: file="
                  + definitionsFile()
                  + "\n--force replaces it."
              : "the target exists: target=" + target + "\n--force replaces it.");
    }
    requireDefinitions();
    if (there == PathStatus.ABSENT) {
      return;
    }
    boolean isDirectory = there == PathStatus.DIRECTORY;
    if (isDirectory != writer.makesDirectory() || !isReplaceable()) {
      throw new TransferException(
          "the target is not an export and is not replaced: target="
              + target
              + "\nName another target.");
    }
  }

  /** Refuses to replace a file of another kind that has the name of the file of definitions. */
  private void requireDefinitions() throws IOException {
    Path file = definitionsFile();
    if (PathStatus.of(file, LinkOption.NOFOLLOW_LINKS) != PathStatus.ABSENT
        && !definitionsFile.isDefinitions()) {
      throw new TransferException(
          "this is not a file of definitions and is not replaced: file="
              + file
              + "\nMove it away, or name another target.");
    }
  }

  /**
   * Whether replacing the target deletes only files that an export writes: a file, or a directory
   * of CSV files and definitions.
   */
  private boolean isReplaceable() throws IOException {
    if (PathStatus.of(target) == PathStatus.FILE) {
      return true;
    }
    for (Path file : children(target)) {
      if (!file.toString().endsWith(".csv") && !file.equals(definitionsFile())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the whole graph without definitions. A file of definitions of an earlier export is
   * deleted.
   *
   * @param progress receives the number of vertices and edges visited since its last call
   */
  public ExportSummary export(GraphSource source, Losses losses, LongConsumer progress)
      throws IOException {
    return export(source, Optional.empty(), losses, progress);
  }

  /**
   * Writes the whole graph with its definitions, if there are any to write.
   *
   * @param definitions empty to write no file of definitions, and to delete that of an earlier
   *     export
   * @param progress receives the number of vertices and edges visited since its last call
   */
  public ExportSummary export(
      GraphSource source, Optional<Definitions> definitions, Losses losses, LongConsumer progress)
      throws IOException {
    long start = System.nanoTime();
    Path unfinished = unfinished(target);
    DefinitionsFile unfinishedDefinitions =
        writer.makesDirectory()
            ? DefinitionsFile.in(unfinished)
            : new DefinitionsFile(unfinished(definitionsFile()));
    Runnable removal =
        () -> {
          remove(unfinishedDefinitions.path());
          remove(unfinished);
        };
    Thread remover = new Thread(removal, "bg3-remove-unfinished");
    Runtime.getRuntime().addShutdownHook(remover);
    try {
      if (writer.makesDirectory()) {
        Files.createDirectory(unfinished);
      }
      writer.write(source, unfinished, losses, progress);
      if (definitions.isPresent()) {
        unfinishedDefinitions.write(definitions.get());
      }
      long bytes = sync(unfinished);
      if (!writer.makesDirectory()) {
        bytes += definitions.isPresent() ? sync(unfinishedDefinitions.path()) : 0;
        replaceDefinitions(unfinishedDefinitions.path());
      }
      replace(unfinished);
      return new ExportSummary(
          source.vertexCount(),
          source.edgeCount(),
          losses.count(),
          bytes,
          System.nanoTime() - start);
    } catch (TransferException e) {
      throw e;
    } catch (IOException e) {
      throw new TransferException(
          "cannot write: target=" + target + ", reason=" + CountedInput.reason(e), e);
    } finally {
      removal.run();
      forget(remover);
    }
  }

  private static Path unfinished(Path target) {
    return target.resolveSibling(
        "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
  }

  /** Puts a file of definitions beside the target, or removes that of an earlier export. */
  private void replaceDefinitions(Path written) throws IOException {
    if (PathStatus.of(written) == PathStatus.ABSENT) {
      Files.deleteIfExists(definitionsFile());
    } else {
      Files.move(written, definitionsFile(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      assert hook.isAlive() || hook.getState() == Thread.State.TERMINATED : stopping;
    }
  }

  private void replace(Path unfinished) throws IOException {
    if (writer.makesDirectory() && PathStatus.of(target) != PathStatus.ABSENT) {
      remove(target); // a directory cannot be replaced in one step
    }
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private static long sync(Path written) throws IOException {
    long bytes = 0;
    List<Path> files = Files.isDirectory(written) ? children(written) : List.of(written);
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
        bytes += channel.size();
      }
    }
    return bytes;
  }

  private static void remove(Path path) {
    try {
      if (PathStatus.of(path) == PathStatus.DIRECTORY) {
        for (Path file : children(path)) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("cannot remove: path=" + path, e);
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new ArrayList<>(files.toList());
    }
  }
}
