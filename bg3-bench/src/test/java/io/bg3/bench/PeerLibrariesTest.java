package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.gremlin.GremlinSystem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries of other systems are got once, by a script that stands in for Maven. */
class PeerLibrariesTest {
  @TempDir private Path directory;

  private PeerLibraries libraries(String... script) throws IOException {
    Path maven = directory.resolve("mvn");
    Files.write(maven, Stream.concat(Stream.of("#!/bin/sh"), Stream.of(script)).toList());
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
    return new PeerLibraries(directory.resolve("peers"), maven.toString());
  }

  /** Copies one archive, and a line for each time to a file. */
  private PeerLibraries copying() throws IOException {
    return libraries(
        "for option; do case $option in -DoutputDirectory=*) to=${option#*=} ;; esac; done",
        "echo \"$@\" >>" + directory.resolve("calls"),
        "echo library >\"$to/janusgraph.jar\"");
  }

  private List<Path> peers() throws IOException {
    try (Stream<Path> left = Files.list(directory.resolve("peers"))) {
      return left.map(Path::getFileName).toList();
    }
  }

  @Test
  void librariesAreGotOnce() throws IOException {
    String path = copying().classPath(GremlinSystem.JANUSGRAPH);
    assertEquals(path, copying().classPath(GremlinSystem.JANUSGRAPH));
    Path place = directory.resolve("peers").resolve("janusgraph");
    assertTrue(path.endsWith(File.pathSeparator + place + File.separator + "*"), path);
    assertTrue(path.contains("HdrHistogram"), path);
    assertEquals("library", Files.readString(place.resolve("janusgraph.jar")).strip());
    List<String> calls = Files.readAllLines(directory.resolve("calls"));
    assertEquals(1, calls.size(), calls::toString);
    assertTrue(
        calls.get(0).contains("dependency:copy-dependencies -DincludeScope=runtime"),
        calls::toString);
    assertEquals(List.of(Path.of("janusgraph")), peers());
  }

  @Test
  void librariesOfAnotherVersionAreReplaced() throws IOException {
    var unused = copying().classPath(GremlinSystem.JANUSGRAPH);
    Path place = directory.resolve("peers").resolve("janusgraph");
    Files.writeString(place.resolve("pom.xml"), "<project/>");
    Files.writeString(place.resolve("old.jar"), "");
    unused = copying().classPath(GremlinSystem.JANUSGRAPH);
    assertEquals(2, Files.readAllLines(directory.resolve("calls")).size());
    assertTrue(Files.notExists(place.resolve("old.jar")));
  }

  @Test
  void whatMavenCannotGetIsNamedWithWhatToDo() throws IOException {
    PeerLibraries failing = libraries("echo Could not transfer artifact", "exit 1");
    IOException failure =
        assertThrows(IOException.class, () -> failing.classPath(GremlinSystem.JANUSGRAPH));
    assertEquals(
        "the libraries of a system are not there: system=janusgraph,"
            + " artifacts=org.janusgraph:janusgraph-berkeleyje:1.1.0. Maven copies them when the"
            + " system is first measured: run the command once with Maven and a repository that"
            + " has them, or leave janusgraph out of --systems. Maven failed\n"
            + "Could not transfer artifact",
        failure.getMessage());
    assertEquals(List.of(), peers());
  }

  @Test
  void aMavenThatIsNotThereIsNamed() {
    PeerLibraries without = new PeerLibraries(directory.resolve("peers"), "/no/mvn");
    IOException failure =
        assertThrows(IOException.class, () -> without.classPath(GremlinSystem.ARCADEDB));
    assertTrue(
        failure.getMessage().contains("artifacts=com.arcadedb:arcadedb-gremlin:25.3.1"),
        failure::getMessage);
    assertTrue(
        failure.getMessage().endsWith("Maven did not start: command=/no/mvn"), failure::getMessage);
  }
}
