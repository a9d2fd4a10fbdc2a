package io.bg3.bench;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.work.StoreFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * The libraries of the systems that bring a TinkerPop of their own, which cannot be on the bench's
 * class path. Maven copies those of a system into a directory when the system is first asked for; a
 * POM in the resources names them. Later runs take what is there, without Maven and a network.
 *
 * <p>Threads: any number of processes; a directory appears as a whole.
 */
final class PeerLibraries {
  /** The property with the directory for the libraries. */
  static final String DIRECTORY = "bg3.bench.peers";

  private static final Path DEFAULT_DIRECTORY = Path.of("target", "peers");
  private static final String POM = "pom.xml";
  private static final String OUTPUT = "output.txt";
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>"
              + "\\s*<version>([^<]+)</version>");

  private final Path directory;
  private final String maven;

  /** Libraries got by the Maven on the path, in the directory that the property names. */
  PeerLibraries() {
    this(
        Path.of(System.getProperty(DIRECTORY, DEFAULT_DIRECTORY.toString())).toAbsolutePath(),
        "mvn");
  }

  /**
   * @param directory with a directory for each system
   * @param maven the command of Maven
   */
  PeerLibraries(Path directory, String maven) {
    this.directory = directory;
    this.maven = maven;
  }

  /**
   * The class path of a process that measures a system with libraries of its own: those, and the
   * bench's classes in front.
   *
   * @throws IOException if Maven cannot get the libraries; the message says what to do
   */
  String classPath(GremlinSystem system) throws IOException {
    String pom = pom(system);
    Path libraries = directory.resolve(system.text());
    // A POM of an earlier version of the bench names other libraries.
    Path copied = libraries.resolve(POM);
    if (!Files.exists(copied) || !Files.readString(copied).equals(pom)) {
      copy(system, pom, libraries);
    }
    return String.join(
        File.pathSeparator,
        place(GremlinSystem.class),
        place(Histogram.class),
        libraries + File.separator + "*");
  }

  /** The artifacts that a system's POM names, as group, name and version. */
  static List<String> artifacts(GremlinSystem system) throws IOException {
    List<String> artifacts = new ArrayList<>();
    Matcher dependencies = DEPENDENCY.matcher(pom(system));
    while (dependencies.find()) {
      artifacts.add(
          dependencies.group(1) + ":" + dependencies.group(2) + ":" + dependencies.group(3));
    }
    return artifacts;
  }

  private static String pom(GremlinSystem system) throws IOException {
    try (InputStream in = PeerLibraries.class.getResourceAsStream(system.text() + "-" + POM)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Copies the libraries to a new directory, which then takes the place of an earlier one. */
  private void copy(GremlinSystem system, String pom, Path libraries) throws IOException {
    Files.createDirectories(directory);
    Path fresh = Files.createTempDirectory(directory, system.text() + "-");
    try {
      Files.writeString(fresh.resolve(POM), pom);
      run(system, fresh);
      StoreFiles.delete(libraries);
      Files.move(fresh, libraries, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      StoreFiles.delete(fresh);
    }
  }

  private void run(GremlinSystem system, Path fresh) throws IOException {
    Path output = fresh.resolve(OUTPUT);
    Process process;
    try {
      process =
          new ProcessBuilder(
                  maven,
                  "-q",
                  "-B",
                  "-f",
                  fresh.resolve(POM).toString(),
                  "dependency:copy-dependencies",
                  "-DincludeScope=runtime",
                  "-DincludeTypes=jar",
                  "-DoutputDirectory=" + fresh)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      throw unavailable(system, "Maven did not start: command=" + maven, e);
    }
    try {
      if (process.waitFor() != 0) {
        throw unavailable(system, "Maven failed\n" + Jvm.tail(output), null);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: system=" + system.text(), e);
    }
  }

  private static IOException unavailable(GremlinSystem system, String reason, Exception cause)
      throws IOException {
    return new IOException(
        "the libraries of a system are not there: system="
            + system.text()
            + ", artifacts="
            + String.join(" ", artifacts(system))
            + ". Maven copies them when the system is first measured: run the command once with"
            + " Maven and a repository that has them, or leave "
            + system.text()
            + " out of --systems. "
            + reason,
        cause);
  }

  /** The directory or the archive that a class comes from. */
  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place of a class: class=" + type, e);
    }
  }
}
