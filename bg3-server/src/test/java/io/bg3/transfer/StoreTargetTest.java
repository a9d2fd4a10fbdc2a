package io.bg3.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adds rows that depend on rows of the batch before, which is committed meanwhile. */
class StoreTargetTest {
  private static final Path FILE = Path.of("rows.csv");

  private final List<String> bad = new ArrayList<>();
  private long line;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void rowsThatRepeatAnIdAreBadWhateverTheBatch(int batch) throws IOException {
    try (Bg3 store = Bg3.open(Settings.defaults());
        StoreTarget target =
            new StoreTarget(store.graph(), batch, false, row -> bad.add(row.toString()))) {
      for (int vertex : new int[] {1, 1, 2, 3, 2, 3, 4, 5, 5}) {
        target.add(new VertexData(vertex, "v", List.of()), next());
      }
      target.commit();
      for (String edge : new String[] {"a", "a", "b", "c", "b", "d", "d"}) {
        target.add(new EdgeData(edge, "e", 1, 2, Map.of()), next());
      }
      target.add(new EdgeData(null, "e", 1, 9, Map.of()), next());
      target.finish();
      assertEquals(
          List.of(
              "rows.csv:2: vertex exists already: id=1",
              "rows.csv:5: vertex exists already: id=2",
              "rows.csv:6: vertex exists already: id=3",
              "rows.csv:9: vertex exists already: id=5",
              "rows.csv:11: edge exists already: id=a",
              "rows.csv:14: edge exists already: id=b",
              "rows.csv:16: edge exists already: id=d",
              "rows.csv:17: no such vertex: to=9"),
          bad.stream().sorted(new ByLine()).toList());
      assertEquals(5, target.vertices());
      assertEquals(4, target.edges());
      assertEquals("rows.csv:15", target.lastCommitted().orElseThrow().toString());
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(5, reading.vertexCount());
        assertEquals(4, reading.edgeCount());
      }
      assertEquals(List.of(), store.check(count -> {}));
    }
  }

  private FilePosition next() {
    return FilePosition.line(FILE, ++line);
  }

  /** Orders messages by the lines that they name. */
  private static final class ByLine implements java.util.Comparator<String> {
    @Override
    public int compare(String a, String b) {
      return Integer.compare(line(a), line(b));
    }

    private static int line(String message) {
      return Integer.parseInt(message.split(":", 3)[1]);
    }
  }
}
