package io.bg3.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of this repository, found from the module whose tests run. */
public final class Sources {
  private static final Set<String> NOT_OURS =
      Set.of(".git", ".idea", ".vscode", "target", "dist", "data", "__pycache__");
  private static final Set<String> TEXT =
      Set.of("java", "md", "xml", "properties", "yml", "yaml", "sh", "py", "txt", "csv", "kt");

  private Sources() {}

  public static Path root() {
    Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();
    return module.getParent();
  }

  /** Every file, named from the root. */
  public static List<Path> files() {
    return walk(root()).toList();
  }

  /** Every text file, named from the root. */
  public static List<Path> texts() {
    return files().stream().filter(Sources::isText).toList();
  }

  /**
   * The Java files of one kind, {@code main} or {@code test}, of all modules, named from the root.
   */
  public static List<Path> java(String kind) {
    return texts().stream()
        .filter(file -> file.toString().matches("bg3-[a-z]+/src/" + kind + "/java/.*\\.java"))
        .toList();
  }

  public static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  public static String text(Path file) {
    try {
      return Files.readString(root().resolve(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The package that a Java file lies in. */
  public static String packageOf(Path file) {
    String folder = file.getParent().toString();
    return folder.substring(folder.indexOf("/java/") + "/java/".length()).replace('/', '.');
  }

  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot < 0 || TEXT.contains(name.substring(dot + 1));
  }

  private static Stream<Path> walk(Path directory) {
    List<Path> children;
    try (Stream<Path> listed = Files.list(directory)) {
      children = listed.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return children.stream()
        .filter(child -> !NOT_OURS.contains(child.getFileName().toString()))
        .flatMap(
            child -> Files.isDirectory(child) ? walk(child) : Stream.of(root().relativize(child)));
  }
}
