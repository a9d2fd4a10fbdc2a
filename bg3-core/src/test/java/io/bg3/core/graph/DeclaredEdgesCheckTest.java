package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damages declared edges behind the graph's back and expects the check to say so. */
class DeclaredEdgesCheckTest {
  private static final byte[] NOTHING = {};

  private Bg3 store;
  private EdgeLabel link;
  private EdgeLabel firm;
  private EdgeLabel counted;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
    EdgeLabelForm byTime = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    link = store.graph().declareEdgeLabel("link", byTime.asLoose().asCounted());
    firm = store.graph().declareEdgeLabel("firm", byTime);
    counted = store.graph().declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    try (GraphTransaction graph = store.graph().begin()) {
      graph.addVertex(1, "node");
      graph.addVertex(2, "node");
      graph.links().put(link, 1, 2, 10, true, new PropertyBytes());
      graph.links().put(link, 1, 3, 20, false, new PropertyBytes());
      graph.links().put(firm, 1, 2, 10, true, new PropertyBytes());
      graph.links().put(firm, 2, 1, 20, false, new PropertyBytes());
      graph.addEdge(1, "counted", 2, null, Map.of());
      graph.commit();
    }
    assertEquals(List.of(), Damage.problems(store));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void damage(String rule, Consumer<Transaction> work) {
    Damage.isFound(store, rule, work);
  }

  @Test
  void findsAVisibleEdgeThatIsNotInItsOrder() {
    damage("C7", t -> t.deleteEdge(1, EdgeTags.index(link.code()), ~10L, 2, 0));
  }

  @Test
  void findsAnEntryInTheOrderOfAHiddenEdge() {
    damage("C7", t -> t.putEdge(1, EdgeTags.index(link.code()), ~20L, 3, 0, NOTHING));
  }

  @Test
  void findsAnEntryInTheOrderOfNoEdge() {
    damage("C7", t -> t.putEdge(1, EdgeTags.index(link.code()), ~20L, 9, 0, NOTHING));
  }

  @Test
  void findsTwoEntriesOfOneEdge() {
    damage("C7", t -> t.putEdge(1, EdgeTags.index(link.code()), ~11L, 2, 0, NOTHING));
  }

  @Test
  void findsAnOrderThatTheLabelDoesNotHave() {
    damage("C7", t -> t.putEdge(1, EdgeTags.index(counted.code()), 11, 2, 0, NOTHING));
  }

  @Test
  void findsALooseEdgeUnderItsTarget() {
    damage("C7", t -> t.putEdge(2, EdgeTags.in(link.code()), 1, 0, NOTHING));
  }

  @Test
  void findsAHiddenEdgeUnderItsTarget() {
    damage("C7", t -> t.putEdge(1, EdgeTags.in(firm.code()), 2, 0, NOTHING));
  }

  @Test
  void findsAMissingEntryUnderTheTarget() {
    damage("C2", t -> t.deleteEdge(2, EdgeTags.in(firm.code()), 1, 0));
  }

  @Test
  void findsAnEntryThatCannotBeRead() {
    damage("C1", t -> t.putEdge(1, EdgeTags.out(link.code()), 2, 0, new byte[] {9, 9}));
  }

  @Test
  void findsCountersThatDrifted() {
    damage("C8", t -> t.addCount(1, link.code(), 1));
    damage("C8", t -> t.addCount(1, link.code(), -2));
  }

  @Test
  void findsACounterThatIsMissing() {
    damage("C8", t -> t.addCount(1, counted.code(), -1));
  }

  @Test
  void findsACounterOfEdgesThatAreNotCounted() {
    damage("C8", t -> t.addCount(1, firm.code(), 1));
  }
}
