package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.HalfLoadedException;
import io.bg3.core.graph.IndexedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads files with {@code --bulk}, and what it refuses. */
class BulkLoadTest {
  private static final String[] PEOPLE = {"~id,~label,name", "1,person,Ada", "b,person,Bob"};

  @TempDir private Path directory;

  @Test
  void loadsEverythingAndReportsBadRows() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows =
        file(
            "knows.csv",
            "~id,~from,~to,~label,since:int",
            "e1,1,b,knows,1815",
            "1~1~7,b,1,knows,1816",
            ",1,nobody,knows,1817",
            ",1,b,knows,x");
    CommandRun load = bulk("--index=person.name", people.toString(), knows.toString());
    assertEquals(3, load.code(), load.err());
    assertTrue(load.out().startsWith("loaded 2 vertices and 2 edges in "), load.out());
    assertTrue(load.out().contains("edges with a new generated id: 1"), load.out());
    assertTrue(load.out().contains("index person.name: ready"), load.out());
    assertTrue(load.err().contains(knows + ":4: no such vertex: to=nobody"), load.err());
    assertTrue(load.err().contains(knows + ":5: not a value of the column's type"), load.err());
    try (Bg3 open = Bg3.open(store());
        GraphTransaction reading = open.graph().beginReadOnly()) {
      assertEquals(2, reading.edgeCount("knows"));
      assertEquals(1L, reading.findEdge("e1").source());
    }
    assertEquals(0, CommandRun.of("check", "--data", store().toString()).code());
  }

  @Test
  void aStoreThatIsNotEmptyIsRefusedAndKept() throws IOException {
    Path people = file("people.csv", PEOPLE);
    assertEquals(0, CommandRun.of("load", "--data", store().toString(), people.toString()).code());
    CommandRun load = bulk(people.toString());
    assertEquals(1, load.code());
    assertTrue(
        load.err()
            .contains(
                "--bulk loads only an empty store: data="
                    + store()
                    + ", vertices=2, edges=0\nLoad without --bulk, or into another directory."),
        load.err());
    Bg3.open(store()).close();
  }

  @Test
  void aLimitOfBadRowsKeepsTheRowsBeforeIt() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~from,~to", "1,b", "1,nobody", "b,1");
    CommandRun load = bulk("--strict", people.toString(), knows.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("stopped at a bad row: " + knows + ":3"), load.err());
    assertTrue(load.err().contains("loaded before it: vertices=2, edges=1"), load.err());
    try (Bg3 open = Bg3.open(store());
        GraphTransaction reading = open.graph().beginReadOnly()) {
      assertEquals(1, reading.edgeCount());
    }
  }

  @Test
  void twoEdgesWithOneIdLeaveNothing() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~id,~from,~to", "e1,1,b", "e1,b,1");
    CommandRun load = bulk(people.toString(), knows.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("edge exists already: id=e1"), load.err());
    assertTrue(load.err().contains("A load without --bulk reports the second"), load.err());
    assertTrue(load.err().contains("Remove the directory, and load again."), load.err());
    assertThrows(HalfLoadedException.class, () -> Bg3.open(store()).close());
  }

  @Test
  void declaredLabelsAreRefused() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~from,~to,~label", "1,b,knows");
    Path named =
        file(
            "my defs.json",
            "{\"format\":\"bg3 definitions\",\"version\":1,"
                + "\"labels\":[{\"label\":\"knows\",\"counted\":true}]}");
    CommandRun defined =
        bulk("--definitions", named.toString(), people.toString(), knows.toString());
    assertEquals(1, defined.code());
    assertTrue(
        defined.err().contains("--bulk loads no edges of a declared label: label=knows"),
        defined.err());
    try (Bg3 open = Bg3.open(store())) {
      open.graph().declareEdgeLabel("knows", EdgeLabelForm.plain().asCounted());
    }
    CommandRun declared = bulk(people.toString(), knows.toString());
    assertEquals(1, declared.code());
    assertTrue(
        declared
            .err()
            .contains("--bulk loads no edges of a declared label: label=knows, data=" + store()),
        declared.err());
    Bg3.open(store()).close();
  }

  @Test
  void edgesOfAnIndexAreRefused() throws IOException {
    Path people = file("people.csv", PEOPLE);
    try (Bg3 open = Bg3.open(store())) {
      open.graph().createIndex(IndexedKeys.ofEdges("knows", "since"), false);
    }
    CommandRun load = bulk(people.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("--bulk loads no edges that an index holds"), load.err());
    Bg3.open(store()).close();
  }

  @Test
  void aServerIsNotLoadedInBulk() {
    CommandRun load = CommandRun.of("load", "--remote", "localhost:1", "--bulk", "people.csv");
    assertEquals(2, load.code());
    assertTrue(load.err().contains("--bulk loads a directory, not a server"), load.err());
  }

  private CommandRun bulk(String... options) {
    List<String> arguments = new ArrayList<>(List.of("load", "--data", store().toString()));
    arguments.add("--bulk");
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }
}
