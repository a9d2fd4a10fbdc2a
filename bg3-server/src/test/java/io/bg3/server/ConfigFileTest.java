package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the graphs of configuration files. */
class ConfigFileTest {
  @TempDir private Path directory;

  private ConfigFile read(String... lines) throws IOException {
    return ConfigFile.read(
        Files.writeString(directory.resolve("bg3.properties"), String.join("\n", lines)));
  }

  @Test
  void graphsHaveSettingsOfTheirOwnAndThoseOfAll() throws IOException {
    ConfigFile file =
        read(
            "bg3.directory=main",
            "bg3.memory.budget=1g",
            "bg3.durability=async",
            "graphs.g.share=3",
            "graphs.people.data=/srv/people",
            "graphs.people.share=2",
            "graphs.people.bg3.durability=none",
            "graphs.orders.data=orders",
            "graphs.orders.bg3.log.limit=1m");
    assertEquals(3, file.share());
    assertEquals(Set.of("orders", "people"), file.graphs().keySet());
    GraphSettings people = file.graphs().get("people");
    assertEquals(Path.of("/srv/people"), people.data());
    assertEquals(2, people.share());
    assertEquals(
        Map.of("bg3.directory", "/srv/people", "bg3.durability", "none"), people.configuration());
    GraphSettings orders = file.graphs().get("orders");
    assertEquals(1, orders.share());
    assertEquals(Path.of("orders").toAbsolutePath(), orders.data());
    assertEquals("async", orders.store().text(Setting.DURABILITY));
    assertEquals("1m", orders.store().text(Setting.LOG_LIMIT));
    assertEquals("async", file.store().text(Setting.DURABILITY));
    assertEquals("256m", file.store().text(Setting.LOG_LIMIT));
  }

  @Test
  void aFileWithoutGraphsHasTheDefaultGraph() throws IOException {
    ConfigFile file = read("bg3.durability=async");
    assertEquals(Map.of(), file.graphs());
    assertEquals(1, file.share());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          graphs.people.share=1           | graph has no directory: graph=people, missing=graphs.people.data
          graphs.people.data=             | graph has no directory: graph=people
          graphs.people.dat=x             | unknown setting: key=graphs.people.dat, nearest=graphs.people.data
          graphs.people.bg3.durabilty=x   | unknown setting: key=graphs.people.bg3.durabilty, nearest=graphs.people.bg3.durability
          graphs.people=x                 | unknown setting: key=graphs.people, nearest=graphs.people.
          graphs.people.bg3.directory=x   | instead=graphs.people.data
          graphs.people.bg3.memory.budget=8m | instead=graphs.people.share
          graphs.g.data=x                 | the default graph cannot have this setting: key=graphs.g.data
          graphs.g.bg3.durability=none    | the default graph cannot have this setting
          graphs.g.share=0                | setting is not a share: key=graphs.g.share, value=0, range=1 to 1000000
          graphs.g.share=much             | setting is not a share: key=graphs.g.share, value=much
          graphs.2nd.data=x               | name of a graph is not valid: name=2nd
          graphs.graph.data=x             | name of a graph is not valid: name=graph
          graphs..data=x                  | name of a graph is not valid: name=
          """)
  void aMistakeIsNamed(String line, String problem) {
    IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> read(line));
    assertTrue(wrong.getMessage().contains(problem), wrong.getMessage());
    assertTrue(wrong.getMessage().contains("file="), wrong.getMessage());
  }

  @Test
  void aValueOutOfRangeNamesTheGraph() {
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class,
            () -> read("graphs.people.data=x", "graphs.people.bg3.durability=never"));
    assertTrue(wrong.getMessage().contains("graph=people"), wrong.getMessage());
  }
}
