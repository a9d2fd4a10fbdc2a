package io.bg3.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.csv.CsvGraphFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads small files into a store and looks at what came of them through TinkerPop. */
class LoaderTest {
  private Bg3Graph graph;
  private GraphTraversalSource g;
  private final List<BadRow> badRows = new ArrayList<>();

  @TempDir private Path directory;

  @Test
  void loadsVerticesBeforeEdgesWhateverTheOrder() throws Exception {
    Path edges = file("edges.csv", "~id,~from,~to,~label,since:int", "e1,1,a,knows,1815");
    Path vertices = file("vertices.csv", "~id,~label,name", "1,person,Ada", "a,person,Charles");
    LoadSummary summary = load(edges, vertices);
    assertEquals(2, summary.vertices());
    assertEquals(1, summary.edges());
    assertEquals(0, summary.bad());
    assertEquals(Files.size(edges) + Files.size(vertices), summary.bytes());
    assertEquals(List.of("Charles"), g.V(1L).out("knows").values("name").toList());
    assertEquals(List.of(1815), g.E("e1").values("since").toList());
  }

  @ParameterizedTest
  @CsvSource({
    "bool,TRUE,Boolean",
    "Boolean,false,Boolean",
    "byte,-7,Byte",
    "Short,300,Short",
    "Int,70000,Integer",
    "Integer,70000,Integer",
    "long,5000000000,Long",
    "FLOAT,1.5,Float",
    "double,2.25,Double",
    "String,text,String"
  })
  void keepsTheTypeThatTheHeaderSays(String type, String value, String javaType) throws Exception {
    load(file("v.csv", "~id,x:" + type, "1," + value));
    Object loaded = g.V(1L).values("x").next();
    assertEquals(value.toLowerCase(Locale.ROOT), loaded.toString());
    assertEquals(javaType, loaded.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource({
    "2025-10-22,2025-10-22T00:00Z",
    "2025-10-22T13:56,2025-10-22T13:56Z",
    "2025-10-22T13:56:29Z,2025-10-22T13:56:29Z",
    "2025-10-22T13:56:29.5+02:00,2025-10-22T13:56:29.5+02:00"
  })
  void readsDates(String text, String date) throws Exception {
    load(file("v.csv", "~id,at:DateTime", "1," + text));
    assertEquals(OffsetDateTime.parse(date), g.V(1L).values("at").next());
  }

  @Test
  void splitsCellsOfSeveralValues() throws Exception {
    load(file("v.csv", "~id,tag:String[],n:int(set),one:int(single)", "1,a;b\\;c;a,5,6"));
    assertEquals(Set.of("a", "b;c"), g.V(1L).values("tag").toSet());
    assertEquals(2L, g.V(1L).values("tag").count().next());
    assertEquals(List.of(6), g.V(1L).values("one").toList());
  }

  @Test
  void readsQuotesLineBreaksAndAMark() throws Exception {
    load(file("v.csv", "\uFEFF~id,text,empty", "1,\"a, \"\"b\"\"\nc\",", "", "2,plain,\"\""));
    assertEquals(List.of("a, \"b\"\nc"), g.V(1L).values("text").toList());
    assertEquals(0L, g.V().values("empty").count().next());
    assertEquals(2L, g.V().count().next());
  }

  @Test
  void givesLabelsToWhatHasNone() throws Exception {
    load(file("v.csv", "~id", "1", "2"), file("e.csv", "~from,~to", "1,2"));
    assertEquals(2L, g.V().hasLabel("vertex").count().next());
    assertEquals(1L, g.E().hasLabel("edge").count().next());
  }

  @Test
  void leavesOutBadRowsAndSaysWhereAndWhy() throws Exception {
    Path vertices =
        file(
            "v.csv",
            "~id,~label,n:int",
            "1,a,1",
            "2,a,x",
            "3,a",
            ",a,3",
            "1,a,4",
            "4,a;b,5",
            "5,a,6");
    Path edges = file("e.csv", "~id,~from,~to", "x,1,5", "y,1,9");
    LoadSummary summary = load(vertices, edges);
    assertEquals(
        List.of(
            vertices + ":3: not a value of the column's type: column=n, type=int, value=x",
            vertices + ":4: wrong number of columns: expected=3, found=2",
            vertices + ":5: empty: column=~id",
            vertices + ":6: vertex exists already: id=1",
            vertices + ":7: more than one label: column=~label, value=a;b",
            edges + ":3: no such vertex: to=9"),
        badRows.stream().map(BadRow::toString).toList());
    assertEquals(6, summary.bad());
    assertEquals(2, summary.vertices());
    assertEquals(1, summary.edges());
    assertEquals(List.of(1), g.V(1L).values("n").toList());
  }

  @Test
  void aStrictLoadKeepsTheRowsBeforeABadOne() throws Exception {
    Path vertices = file("v.csv", "~id,n:int", "1,1", "2,two", "3,3");
    TransferException stopped = assertThrows(TransferException.class, () -> load(true, vertices));
    assertEquals(
        "stopped at a bad row: "
            + vertices
            + ":3: not a value of the column's type: column=n, type=int, value=two\n"
            + "loaded before it: vertices=1, edges=0",
        stopped.getMessage());
    assertEquals(List.of(1L), g.V().id().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~id,~nonsense",
        "~id,n:number",
        "~id,n:int(many)",
        "~id,n:int(single)[]",
        "~id,n,n:string",
        "~label,n",
        "~id,~from",
        "~from,~to,n:int[]",
        "~id,:int"
      })
  void refusesAHeaderItDoesNotUnderstandBeforeAnyRow(String header) throws Exception {
    Path good = file("good.csv", "~id", "1");
    Path bad = file("bad.csv", header, "1,2");
    TransferException refused = assertThrows(TransferException.class, () -> load(good, bad));
    assertTrue(refused.getMessage().startsWith(bad + ":1: "), refused.getMessage());
    assertEquals(0L, g.V().count().next());
  }

  @Test
  void namesWhatCannotBeRead() throws Exception {
    Path missing = directory.resolve("missing.csv");
    assertEquals(
        "cannot read: file=" + missing + ", reason=no such file",
        assertThrows(TransferException.class, () -> load(missing)).getMessage());
    Path empty = file("empty.csv");
    assertEquals(
        "file is empty, a header is expected: file=" + empty,
        assertThrows(TransferException.class, () -> load(empty)).getMessage());
    Path open = file("open.csv", "~id,t", "1,\"never closed");
    assertTrue(
        assertThrows(TransferException.class, () -> load(open))
            .getMessage()
            .startsWith(open + ":2: cannot be read on: "));
    Path bytes = directory.resolve("bytes.csv");
    Files.write(bytes, "~id,t\n1,\u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    assertTrue(
        assertThrows(TransferException.class, () -> load(bytes))
            .getMessage()
            .contains("not UTF-8"));
  }

  @AfterEach
  void close() {
    if (graph != null) {
      graph.close();
    }
  }

  private LoadSummary load(Path... files) throws IOException {
    return load(false, files);
  }

  /** Loads into the store and opens it as a graph, also if the load fails. */
  private LoadSummary load(boolean strict, Path... files) throws IOException {
    close();
    Path store = directory.resolve("store");
    try (Bg3 open = Bg3.open(store)) {
      return new Loader(strict, badRows::add, count -> {})
          .load(
              Arrays.stream(files).map(CsvGraphFile::new).toList(),
              rows -> new StoreTarget(open.graph(), 1_000, true, rows));
    } finally {
      graph = Bg3Graph.open(store.toString());
      g = graph.traversal();
    }
  }

  private Path file(String name, String... lines) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, lines.length == 0 ? "" : String.join("\n", lines) + "\n");
    return file;
  }
}
