package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.StoreOnDisk;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.Isolation;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A declaration of a label or a family that has returned survives every power cut. */
class DeclaredLabelsCrashTest {
  private static final EdgeLabelForm FORM =
      EdgeLabelForm.plain().asLoose().asCounted().orderedBy("time", SortOrder.DESCENDING);

  private static GraphStore graph(StoreOnDisk store) {
    return new GraphStore(store.transactions(), Isolation.STRICT);
  }

  @Test
  void aDeclarationThatReturnedIsThereAfterAPowerCut() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    CrashingDisk disk = new CrashingDisk(new Sites(), new Random(random.nextLong()));
    for (int life = 0; life < 10; life++) {
      StoreOnDisk store = StoreOnDisk.open(PowerCutIT.small(), disk);
      live(store, life, "seed=" + seed);
      if (random.nextBoolean()) {
        store.checkpoint();
      }
      disk = random.nextBoolean() ? disk.kill() : disk.crash(random);
      Throwable ended = assertThrows(Throwable.class, store::close);
      // The thread that writes pages may have met the cut first, which close() says.
      assertInstanceOf(PowerCut.class, ended instanceof PowerCut ? ended : ended.getCause());
    }
  }

  /** Looks for the labels and links of the lives before, and makes those of this one. */
  private static void live(StoreOnDisk store, int life, String at) {
    GraphStore graph = graph(store);
    assertEquals(2 * life, graph.declaredEdgeLabels().size(), at);
    assertEquals(life, graph.families().size(), at);
    for (int before = 0; before < life; before++) {
      EdgeLabel label = graph.declaredEdgeLabel("link" + before);
      assertEquals(FORM, label.form(), at);
      Link link = graph.retry(work -> work.links().get(label, 1, 2));
      assertEquals(7, link.sortKey(), at);
      long count = graph.retry(work -> work.links().count(label, 1));
      assertEquals(1, count, at);
      assertEquals(family(before), graph.families().get(before), at);
      EdgeLabel apart = graph.declaredEdgeLabel("apart" + before);
      assertEquals("family" + before, apart.form().family(), at);
      Link far = graph.retry(work -> work.links().get(apart, 1, 3));
      assertEquals(8, far.sortKey(), at);
    }
    EdgeLabel label = graph.declareEdgeLabel("link" + life, FORM);
    graph.update(1, work -> work.links().put(label, 1, 2, 7, true, new PropertyBytes()));
    graph.defineFamily(family(life));
    EdgeLabel apart = graph.declareEdgeLabel("apart" + life, FORM.inFamily("family" + life));
    graph.update(1, work -> work.links().put(apart, 1, 3, 8, true, new PropertyBytes()));
    assertEquals(List.of(), store.check(), at);
  }

  private static EdgeFamily family(int life) {
    return new EdgeFamily("family" + life).withPageCapacity(4096).withConsolidate(1 + life);
  }
}
