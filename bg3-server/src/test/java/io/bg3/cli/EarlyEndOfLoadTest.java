package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.transfer.definitions.DefinitionsFile;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends loads early, and finishes them with the command that the error names. */
class EarlyEndOfLoadTest {
  private static final String COMMAND = "To create them: bg3 ";

  @TempDir private Path directory;

  @Test
  void theNamedCommandCreatesTheIndexesThatAreMissing() throws IOException {
    Path people =
        file("people.csv", "~id,~label,mail", "1,person,a", "1,person,again", "2,person,b");
    DefinitionsFile file = DefinitionsFile.beside(people);
    try (Bg3 defined = Bg3.open(directory.resolve("defined"))) {
      defined.graph().createUniqueIndex("person", "mail");
      defined.graph().createIndex("person", "name");
      file.write(new StoreDefinitions(defined.graph()).definitions());
    }
    String again = ended("--strict", people.toString(), "--index=edge:knows.time");
    assertTrue(again.contains("load --data " + store() + " " + file.path() + " --index "), again);
    CommandRun finish = CommandRun.of(again.split(" "));
    assertEquals(0, finish.code(), finish.err());
    assertTrue(finish.out().startsWith("loaded 0 vertices and 0 edges in "), finish.out());
    assertTrue(finish.out().contains("index person.mail: ready"), finish.out());
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      assertEquals(3, open.graph().indexes().size());
      assertTrue(open.graph().indexes().stream().anyMatch(index -> index.unique()));
    }
    assertEquals(0, CommandRun.of(again.split(" ")).code(), "once more");
    CommandRun bad = CommandRun.of("load", "--data", store(), "--strict", people.toString());
    assertEquals(1, bad.code());
    assertFalse(bad.err().contains("not created"), bad.err());
  }

  @Test
  void aNamedFileAndOptionsAreInTheCommand() throws IOException {
    Path people = file("people.csv", "~id,~label,mail", "1,person,a", "1,person,a");
    Path named =
        file(
            "my defs.json",
            "{\"format\":\"bg3 definitions\",\"version\":1,"
                + "\"indexes\":[{\"label\":\"person\",\"keys\":[\"mail\"]}]}");
    String again = ended("--max-bad-rows=0", "--definitions", named.toString(), people.toString());
    assertEquals("load --data " + store() + " --definitions '" + named + "'", again);
    CommandRun finish = CommandRun.of("load", "--data", store(), "--definitions", named.toString());
    assertEquals(0, finish.code(), finish.err());
    CommandRun options = CommandRun.of("load", "--data", store(), "--unique-index", "*.name");
    assertEquals(0, options.code(), options.err());
    CommandRun nothing = CommandRun.of("load", "--data", store());
    assertEquals(2, nothing.code());
    assertTrue(nothing.err().contains("nothing to load: name a FILE"), nothing.err());
    CommandRun none = CommandRun.of("load", "--data", store(), "--no-definitions");
    assertEquals(2, none.code(), none.err());
  }

  @Test
  void aLoadWhoseIndexIsRefusedSaysWhatWasLoaded() throws IOException {
    Path people = file("people.csv", "~id,~label,mail", "1,person,a");
    String key = "k".repeat(2_000);
    CommandRun load =
        CommandRun.of("load", "--data", store(), "--index=person." + key, people.toString());
    assertEquals(1, load.code(), load.out());
    assertTrue(load.out().contains("loaded 1 vertex and 0 edges in "), load.out());
    assertTrue(load.err().contains("the store refused a definition: "), load.err());
    assertTrue(load.err().contains("All rows were loaded"), load.err());
    assertTrue(load.err().contains("not created: index person.k"), load.err());
  }

  /** The arguments of the command that a load names which ends early. */
  private String ended(String... options) {
    List<String> arguments = new ArrayList<>(List.of("load", "--data", store()));
    arguments.addAll(List.of(options));
    CommandRun load = CommandRun.of(arguments.toArray(String[]::new));
    assertEquals(1, load.code(), load.out());
    assertTrue(load.err().contains("loaded before it: vertices=1, edges=0"), load.err());
    assertTrue(load.err().contains("not created: "), load.err());
    int at = load.err().indexOf(COMMAND);
    assertTrue(at > 0, load.err());
    return load.err().substring(at + COMMAND.length()).strip();
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }
}
