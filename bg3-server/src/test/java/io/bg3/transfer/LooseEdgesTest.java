package io.bg3.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The export of edges whose ends need not exist. */
class LooseEdgesTest {
  private Bg3 store;
  private EdgeLabel link;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
    EdgeLabelForm form = EdgeLabelForm.plain().asLoose();
    link = store.graph().declareEdgeLabel("link", form.orderedBy("time", SortOrder.DESCENDING));
    store
        .graph()
        .retry(
            graph -> {
              graph.addVertex(1, "node");
              graph.addVertex(2, "node");
              graph.links().put(link, 1, 2, 10, true, new PropertyBytes());
              return graph.links().put(link, 2, 1, 20, true, new PropertyBytes());
            });
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void put(long source, long target) {
    store
        .graph()
        .retry(graph -> graph.links().put(link, source, target, 5, true, new PropertyBytes()));
  }

  private List<String> edges(Losses losses) throws IOException {
    List<String> found = new ArrayList<>();
    try (StoreSource source = new StoreSource(store.graph(), losses)) {
      source.edges(e -> found.add(e.from() + ">" + e.to() + " " + e.properties().get("time")));
    }
    return found;
  }

  private List<String> stars(Losses losses) throws IOException {
    List<String> found = new ArrayList<>();
    try (StoreSource source = new StoreSource(store.graph(), losses)) {
      source.stars(
          star ->
              star.out()
                  .forEach(
                      e -> found.add(e.from() + ">" + e.to() + " " + e.properties().get("time"))));
    }
    return found;
  }

  @Test
  void looseEdgesBetweenVerticesAreExported() throws IOException {
    assertEquals(List.of("1>2 10", "2>1 20"), edges(new Losses(false)));
    assertEquals(List.of("1>2 10", "2>1 20"), stars(new Losses(false)));
  }

  @Test
  void anEdgeWithoutAnEndIsALoss() throws IOException {
    put(1, 77);
    put(88, 1);
    assertThrows(LossException.class, () -> edges(new Losses(false)));
    assertThrows(LossException.class, () -> stars(new Losses(false)));
    Losses losses = new Losses(true);
    assertEquals(List.of("1>2 10", "2>1 20"), edges(losses));
    assertEquals(2, losses.count());
    assertEquals(List.of("1>2 10", "2>1 20"), stars(losses));
    assertEquals(4, losses.count());
  }
}
