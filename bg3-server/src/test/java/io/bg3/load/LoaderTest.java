package io.bg3.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.ValueType;
import io.bg3.core.record.VertexRecord;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.csv.CsvGraphFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
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
    "2020-01-02 03:04:05,2020-01-02T03:04:05Z",
    "2020-01-02 03:04:05.25+01:00,2020-01-02T03:04:05.25+01:00",
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
            "4,a,5,x",
            "5,a,6");
    Path edges = file("e.csv", "~id,~from,~to,~label", "x,1,5", "y,1,9", "z,1,5,a;b");
    LoadSummary summary = load(vertices, edges);
    assertEquals(
        List.of(
            vertices + ":3: not a value of the column's type: column=n, type=int, value=x",
            vertices + ":5: empty: column=~id",
            vertices + ":6: vertex exists already: id=1",
            vertices + ":7: more cells than columns: columns=3, cells=4",
            edges + ":3: no such vertex: to=9",
            edges + ":4: an edge has one label: column=~label, value=a;b"),
        badRows.stream().map(BadRow::toString).toList());
    assertEquals(6, summary.bad());
    assertEquals(3, summary.vertices());
    assertEquals(1, summary.edges());
    assertEquals(List.of(1), g.V(1L).values("n").toList());
  }

  @Test
  void aStrictLoadKeepsTheRowsBeforeABadOne() throws Exception {
    Path vertices = file("v.csv", "~id,n:int", "1,1", "2,two", "3,3");
    TransferException stopped = assertThrows(TransferException.class, () -> load(0, vertices));
    assertEquals(
        "stopped at a bad row: "
            + vertices
            + ":3: not a value of the column's type: column=n, type=int, value=two\n"
            + "loaded before it: vertices=1, edges=0, up to "
            + vertices
            + ":2",
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
    Path open = file("open.csv", "~id,t", "1,x", "2,\"never closed", "3,y", "4,z");
    assertEquals(
        open
            + ":3: the quote that opens in this line is never closed\n"
            + "loaded before it: vertices=0, edges=0",
        assertThrows(TransferException.class, () -> load(open)).getMessage());
    Path closed = file("closed.csv", "~id,t", "1,\"never closed", "2,\"y\"", "3,z");
    String after = assertThrows(TransferException.class, () -> load(closed)).getMessage();
    assertTrue(
        after.startsWith(closed + ":3: text follows a closing quote: row begins at line=2\n"),
        after);
  }

  @Test
  void aRowWithBytesThatAreNoTextIsBad() throws Exception {
    Path file = directory.resolve("bytes.csv");
    String text = "~id,t\n1,a\n\n2,b\u00e4c\n3,\"x\ny\u00fc\"\n4,d\n5,\u00e4";
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    load(file);
    String end = "; save the file in UTF-8";
    assertEquals(
        List.of(
            file + ":4: not UTF-8: line=4, column=4, byte=0xE4" + end,
            file + ":5: not UTF-8: line=6, column=2, byte=0xFC" + end,
            file + ":8: not UTF-8: line=8, column=3, byte=0xE4" + end),
        badRows.stream().map(BadRow::toString).toList());
    assertEquals(List.of(1L, 4L), g.V().id().order().toList());
  }

  /** All labels of a vertex, which the engine's own API shows. */
  private List<String> labels(Object id) {
    GraphStore store = graph.graphStore();
    try (GraphTransaction in = store.beginReadOnly()) {
      VertexRecord record = in.vertex(in.findVertex(id));
      return IntStream.range(0, record.labelCount())
          .mapToObj(i -> store.vertexLabel(record.label(i)))
          .toList();
    }
  }

  @Test
  void aVertexMayHaveSeveralLabels() throws Exception {
    load(file("v.csv", "~id,~label", "1,person;employee", "2,person", "3,a\\;b"));
    assertEquals(List.of("person", "employee"), labels(1L));
    assertEquals(List.of(), g.V().hasLabel("employee").id().toList()); // Gremlin sees the first
    assertEquals(Set.of(1L, 2L), g.V().hasLabel("person").id().toSet());
    assertEquals("person", g.V(1L).label().next());
    assertEquals("a;b", g.V(3L).label().next());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "id,label,name,age:int!1,person,Ada,36!from,to,label,since:int!1,1,knows,1833",
        "Id;Label;name;age:int!1;person;Ada;36!source;target;label;since:int!1;1;knows;1833",
        ":ID,name,age:int,:LABEL!1,Ada,36,person!:START_ID,since:int,:END_ID,:TYPE!1,1833,1,knows",
        "~id|~label|name|age:int!1|person|Ada|36!src|dst|label|since:int!1|1|knows|1833",
        "~id,~label,name,age:int,a;b;c;d;e!1,person,Ada,36!~from,~to,~label,since:int!1,1,knows,1833"
      })
  void readsTheHeadersOfOthers(String vertices, String vertex, String edges, String edge)
      throws Exception {
    load(file("v.csv", vertices, vertex), file("e.csv", edges, edge));
    assertEquals(List.of(), badRows);
    assertEquals(List.of("Ada"), g.V(1L).hasLabel("person").has("age", 36).values("name").toList());
    assertEquals(List.of(1L), g.V(1L).outE("knows").has("since", 1833).inV().id().toList());
    assertEquals(Set.of("name", "age"), g.V(1L).properties().key().toSet());
  }

  @Test
  void readsTabsAndFilesInGzip() throws Exception {
    Path plain = file("v.tsv", "id\tname\ttag:string[]", "1\tAda, Countess\ta;b");
    Path packed = directory.resolve("v.tsv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(plain, out);
    }
    LoadSummary summary = load(packed);
    assertEquals(Files.size(packed), summary.bytes());
    assertEquals(List.of("Ada, Countess"), g.V(1L).values("name").toList());
    assertEquals(Set.of("a", "b"), g.V(1L).values("tag").toSet());
  }

  @Test
  void idsOfSpacesAreKeptApart() throws Exception {
    load(
        file("p.csv", "personId:ID(Person),name,:LABEL,junk:IGNORE", "1,Ada,Person;Poet,x"),
        file("m.csv", "movieId:ID(Movie),title,:LABEL", "1,Metropolis,Movie"),
        file("e.csv", ":START_ID(Person),:END_ID(Movie),:TYPE", "1,1,SAW"));
    assertEquals(List.of("Metropolis"), g.V("Person:1").out("SAW").values("title").toList());
    assertEquals(List.of("1"), g.V("Movie:1").values("movieId").toList());
    assertEquals(List.of(), g.V().has("junk").toList());
    assertEquals(List.of("Person:1"), g.V().hasLabel("Person").id().toList());
    assertEquals(List.of("Person", "Poet"), labels("Person:1"));
  }

  @Test
  void plainNamesArePropertiesBesideMarkedOnes() throws Exception {
    load(file("v.csv", "~id,id,label", "1,x,y"));
    assertEquals(List.of("x"), g.V(1L).values("id").toList());
    assertEquals("vertex", g.V(1L).label().next());
  }

  @Test
  void cellsThatAreMissingAtTheEndAreEmpty() throws Exception {
    load(file("v.csv", "~id,~label,name,age:int", "1,person,Ada", "2", "3,person,Bob,7,,"));
    assertEquals(List.of(), badRows);
    assertEquals(List.of("Ada"), g.V(1L).values().toList());
    assertEquals(3L, g.V().count().next());
  }

  @Test
  void endsAfterTooManyBadRows() throws Exception {
    Path vertices = file("v.csv", "~id,n:int", "1,x", "2,2", "3,x", "4,4", "5,x", "6,6");
    TransferException stopped = assertThrows(TransferException.class, () -> load(2, vertices));
    assertEquals(
        "stopped at a bad row: "
            + vertices
            + ":6: not a value of the column's type: column=n, type=int, value=x\n"
            + "bad rows skipped before it: 2\n"
            + "loaded before it: vertices=2, edges=0, up to "
            + vertices
            + ":5",
        stopped.getMessage());
    assertEquals(2, badRows.size());
    assertEquals(Set.of(2L, 4L), g.V().id().toSet());
  }

  /** Beside good rows of the same batch, before and behind them. */
  @Test
  void rowsThatBreakASchemaOrAUniqueIndexAreBadRows() throws Exception {
    try (Bg3 open = Bg3.open(directory.resolve("store"))) {
      open.graph()
          .defineSchema(
              LabelSchema.ofVertices("person")
                  .with(KeyRule.of("n", ValueType.INTEGER).asRequired()));
      open.graph().defineSchema(LabelSchema.ofEdges("knows").asSingle());
      open.graph().createUniqueIndex(null, "n");
      while (open.graph().indexes().get(0).state() != IndexState.READY) {
        LockSupport.parkNanos(1_000_000);
      }
    }
    List<String> rows = new ArrayList<>(List.of("~id,~label,n:int"));
    for (int i = 0; i < 2_500; i++) {
      rows.add(i + ",person," + (i == 7 || i == 1_400 ? "" : i == 1_401 ? "1200" : i));
    }
    Path people = file("v.csv", rows.toArray(String[]::new));
    Path knows =
        file("e.csv", "~from,~to,~label", "1,2,knows", "2,1,knows", "1,2,knows", "7,1,knows");
    LoadSummary summary = load(people, knows);
    assertEquals(2_497, summary.vertices());
    assertEquals(2, summary.edges());
    assertEquals(5, summary.bad());
    List<String> bad = badRows.stream().map(BadRow::toString).toList();
    assertTrue(bad.get(0).startsWith(people + ":9: the schema requires a property"), bad.get(0));
    assertTrue(bad.get(1).startsWith(people + ":1402: the schema requires"), bad.get(1));
    assertTrue(bad.get(2).startsWith(people + ":1403: no two vertices may have"), bad.get(2));
    assertTrue(bad.get(3).startsWith(knows + ":5: no such vertex: from=7"), bad.get(3));
    assertTrue(bad.get(4).startsWith(knows + ":4: "), bad.get(4));
    assertEquals(2_497L, g.V().count().next());
  }

  @AfterEach
  void close() {
    if (graph != null) {
      graph.close();
    }
  }

  private LoadSummary load(Path... files) throws IOException {
    return load(Long.MAX_VALUE, files);
  }

  /** Loads into the store and opens it as a graph, also if the load fails. */
  private LoadSummary load(long maxBad, Path... files) throws IOException {
    close();
    Path store = directory.resolve("store");
    try (Bg3 open = Bg3.open(store)) {
      return new Loader(maxBad, badRows::add, count -> {})
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
