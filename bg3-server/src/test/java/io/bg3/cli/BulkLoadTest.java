package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** Loads files by sorting, as the load chooses or {@code --bulk} demands, and by commits. */
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
    assertTrue(load.out().startsWith("sorted load: as --bulk says\nloaded 2 v"), load.out());
    assertTrue(load.out().contains("loaded 2 vertices and 2 edges in "), load.out());
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
                "--bulk cannot load here: data="
                    + store()
                    + ", reason=the store is not empty: vertices=2, edges=0\n"
                    + "Load without --bulk, or into another directory;"),
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
  void anEdgeWithTheIdOfAnotherIsABadRow() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~id,~from,~to", "e1,1,b", "e1,b,1", "e2,b,b", "e2,b,b");
    Path likes = file("likes.csv", "~id,~from,~to,~label", "e3,1,b,likes", "e2,1,1,likes");
    CommandRun load = load(people.toString(), knows.toString(), likes.toString());
    assertEquals(3, load.code(), load.err());
    assertTrue(load.out().startsWith("sorted load: the store is empty\n"), load.out());
    assertTrue(load.out().contains("loaded 2 vertices and 3 edges in "), load.out());
    assertTrue(load.out().contains("bad rows skipped: 3"), load.out());
    for (String bad :
        List.of(knows + ":5: edge exists already: id=e2", likes + ":3: edge exists")) {
      assertTrue(load.err().contains("bad row: " + bad), load.err());
    }
    assertEquals(3, load.err().lines().count(), load.err());
    requireEdges(3);
  }

  @Test
  void aStrictLoadWritesAllButTheEdgesWithTheIdsOfOthers() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~id,~from,~to", "e1,1,b", "e1,b,1", "e1,b,b", "e2,b,b");
    CommandRun load = load("--max-bad-rows=1", people.toString(), knows.toString());
    assertEquals(1, load.code(), load.out());
    assertTrue(load.err().contains("stopped at a bad row: " + knows + ":"), load.err());
    assertTrue(load.err().contains("loaded before it: vertices=2, edges=2"), load.err());
    requireEdges(2);
  }

  @Test
  void whatCannotBeReadKeepsTheRowsBeforeIt() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~from,~to", "1,b", "b,1", "b,\"never closed");
    CommandRun load = load(people.toString(), knows.toString());
    assertEquals(1, load.code(), load.out());
    assertTrue(load.err().contains(knows + ":4: the quote that opens"), load.err());
    assertTrue(load.err().contains("loaded before it: vertices=2, edges=2"), load.err());
    assertFalse(load.err().contains("Nothing was loaded"), load.err());
    requireEdges(2);
  }

  /** As on a full disk: the log cannot get its next segment. */
  @Test
  void aSortedLoadThatTheDiskEndsSaysWhatToDo() throws IOException {
    Path people = file("people.csv", PEOPLE);
    List<String> rows = new ArrayList<>(List.of("~from,~to,text"));
    for (int i = 0; i < 8_000; i++) {
      rows.add("1,b," + "x".repeat(200));
    }
    Path knows = file("knows.csv", rows.toArray(String[]::new));
    Bg3.open(store()).close();
    Files.createDirectory(store().resolve("log-00000000000ff000"));
    CommandRun load = load(people.toString(), knows.toString());
    assertEquals(1, load.code(), load.out());
    String unusable = "Nothing was loaded: a sorted load loads everything or nothing. The store";
    assertTrue(load.err().contains(unusable), load.err());
    assertTrue(load.err().contains("\nRemove the directory, and load again."), load.err());
    assertFalse(load.err().contains("All committed data is kept"), load.err());
    Files.delete(store().resolve("log-00000000000ff000"));
    assertThrows(HalfLoadedException.class, () -> Bg3.open(store()).close());
  }

  @Test
  void aStoreThatHasElementsIsLoadedByCommits() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path more = file("more.csv", "~id", "7");
    assertEquals(0, load(people.toString()).code());
    CommandRun load = load(more.toString());
    assertEquals(0, load.code(), load.err());
    String said = "load by commits: the store is not empty: vertices=2, edges=0\nloaded 1 vertex";
    assertTrue(load.out().startsWith(said), load.out());
  }

  @Test
  void aStoreWithoutElementsIsSortedUnlessItHasMore() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~from,~to,~label", "1,b,knows");
    Bg3.open(store()).close();
    CommandRun empty = load(people.toString(), knows.toString());
    assertTrue(empty.out().startsWith("sorted load: the store is empty\n"), empty.out());
    String said = "load by commits: the store has definitions or variables, which ";
    try (Bg3 open = Bg3.open(directory.resolve("declared"))) {
      open.graph().declareEdgeLabel("knows", EdgeLabelForm.plain().asCounted());
    }
    try (Bg3 open = Bg3.open(directory.resolve("variables"));
        GraphTransaction setting = open.graph().begin()) {
      setting.variables().set("name", "value");
      setting.commit();
    }
    for (String name : List.of("declared", "variables")) {
      String data = directory.resolve(name).toString();
      CommandRun load = CommandRun.of("load", "--data", data, people.toString(), knows.toString());
      assertEquals(0, load.code(), load.err());
      assertTrue(load.out().startsWith(said), load.out());
    }
  }

  @Test
  void theUserForbidsToSort() throws IOException {
    Path people = file("people.csv", PEOPLE);
    CommandRun load = load("--no-bulk", people.toString());
    assertEquals(0, load.code(), load.err());
    assertTrue(load.out().startsWith("load by commits: as --no-bulk says\n"), load.out());
    CommandRun definitions = load("--index=person.name");
    assertEquals(0, definitions.code(), definitions.err());
    assertTrue(definitions.out().startsWith("loaded 0 vertices"), definitions.out());
  }

  @Test
  void declaredLabelsAreSortedOrLoadedByCommitsAsTheirFormsSay() throws IOException {
    Path people = file("people.csv", PEOPLE);
    Path knows = file("knows.csv", "~from,~to,~label,since:long", "1,b,knows,5", "b,1,knows,7");
    Path definitions = directory.resolve("my defs.json");
    List<String> loads =
        List.of("--definitions", definitions.toString(), people.toString(), knows.toString());
    String ordered = "\"sortKey\":\"since\",\"counted\":true";
    for (String form : List.of(ordered, "\"ttl\":3600000", ordered + ",\"loose\":true")) {
      boolean sorts = form.equals(ordered);
      String label = "{\"label\":\"knows\"," + form + "}";
      String format = "{\"format\":\"bg3 definitions\",\"version\":1,\"labels\":[";
      Files.writeString(definitions, format + label + "]}");
      String data = directory.resolve("store " + form.hashCode()).toString();
      List<String> arguments = new ArrayList<>(List.of("load", "--data", data));
      arguments.addAll(loads);
      if (!sorts) {
        List<String> demand = new ArrayList<>(arguments);
        demand.add("--bulk");
        CommandRun refused = CommandRun.of(demand.toArray(String[]::new));
        assertEquals(1, refused.code(), refused.out());
        assertTrue(refused.err().contains("--bulk cannot load here: data=" + data), refused.err());
      }
      CommandRun load = CommandRun.of(arguments.toArray(String[]::new));
      assertEquals(0, load.code(), load.err());
      String said =
          sorts ? "sorted load: the store is empty\n" : "load by commits: edges of a label ";
      assertTrue(load.out().startsWith(said), load.out());
      try (Bg3 open = Bg3.open(Path.of(data));
          GraphTransaction reading = open.graph().beginReadOnly()) {
        assertEquals(2, reading.edgeCount());
        assertEquals(List.of(), open.check(count -> {}));
      }
    }
  }

  @Test
  void edgesOfAnIndexAreRefused() throws IOException {
    Path people = file("people.csv", PEOPLE);
    try (Bg3 open = Bg3.open(store())) {
      open.graph().createIndex(IndexedKeys.ofEdges("knows", "since"), false);
    }
    CommandRun load = bulk(people.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("an index holds edges: index=edge:knows.since"), load.err());
    CommandRun commits = load(people.toString());
    assertEquals(0, commits.code(), commits.err());
    String said = "load by commits: an index holds edges: index=edge:knows.since";
    assertTrue(commits.out().startsWith(said), commits.out());
  }

  @Test
  void aServerIsNotLoadedInBulk() {
    CommandRun load = CommandRun.of("load", "--remote", "localhost:1", "--bulk", "people.csv");
    assertEquals(2, load.code());
    assertTrue(load.err().contains("--bulk loads a directory, not a server"), load.err());
  }

  private CommandRun bulk(String... options) {
    List<String> arguments = new ArrayList<>(List.of("--bulk"));
    arguments.addAll(List.of(options));
    return load(arguments.toArray(String[]::new));
  }

  private CommandRun load(String... options) {
    List<String> arguments = new ArrayList<>(List.of("load", "--data", store().toString()));
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private void requireEdges(long count) throws IOException {
    try (Bg3 open = Bg3.open(store());
        GraphTransaction reading = open.graph().beginReadOnly()) {
      assertEquals(count, reading.edgeCount());
      assertEquals(List.of(), open.check(entries -> {}));
    }
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }
}
