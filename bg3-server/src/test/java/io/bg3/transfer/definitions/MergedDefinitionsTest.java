package io.bg3.transfer.definitions;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.limit.Limit;
import io.bg3.transfer.TransferException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts definitions of several sources before one is applied. */
class MergedDefinitionsTest {
  @Test
  void indexesTogetherHaveALimit() throws TransferException {
    int most = (int) Limit.INDEXES.most();
    assertTooMany(indexes("a", most), indexes("b", 1), Limit.INDEXES.what());
    assertFits(indexes("a", most), indexes("a", most));
  }

  @Test
  void schemasTogetherHaveALimit() throws TransferException {
    List<LabelSchema> schemas = new ArrayList<>();
    for (int i = 0; i < Limit.SCHEMAS.most(); i++) {
      schemas.add(LabelSchema.ofVertices("l" + i).asClosed());
    }
    Definitions there = new Definitions(List.of(), List.of(), schemas, List.of());
    List<LabelSchema> one = List.of(LabelSchema.ofEdges("l0").asClosed());
    Definitions more = new Definitions(List.of(), List.of(), one, List.of());
    assertTooMany(there, more, Limit.SCHEMAS.what());
    assertFits(there, there);
  }

  /** A time to live of a label without a family takes a number as well. */
  @Test
  void familiesTogetherHaveALimit() throws TransferException {
    EdgeLabelForm form = EdgeLabelForm.plain().withTtl(5);
    List<LabelDefinition> labels =
        List.of(new LabelDefinition("a", form), new LabelDefinition("b", form));
    int most = (int) Limit.FAMILIES.most();
    Definitions there = new Definitions(families("a", most - 1), labels, List.of(), List.of());
    Definitions more = new Definitions(families("b", 1), List.of(), List.of(), List.of());
    assertTooMany(there, more, Limit.FAMILIES.what());
    assertFits(there, there);
    assertFits(new Definitions(families("a", most - 2), labels, List.of(), List.of()), more);
  }

  private static void assertTooMany(Definitions there, Definitions more, String what)
      throws TransferException {
    MergedDefinitions all = merged(there, more);
    TransferException refused = assertThrows(TransferException.class, all::check);
    assertTrue(refused.getMessage().contains(what), refused.getMessage());
    assertTrue(refused.getMessage().contains("Nothing was loaded."), refused.getMessage());
  }

  private static void assertFits(Definitions there, Definitions more) throws TransferException {
    assertDoesNotThrow(merged(there, more)::check);
  }

  private static MergedDefinitions merged(Definitions there, Definitions more)
      throws TransferException {
    MergedDefinitions all = new MergedDefinitions();
    all.addGraph("the store", there);
    all.add("file", more);
    return all;
  }

  private static Definitions indexes(String label, int count) {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      indexes.add(new IndexDefinition(IndexedKeys.ofVertices(label, "k" + i), false));
    }
    return Definitions.of(indexes);
  }

  private static List<EdgeFamily> families(String name, int count) {
    List<EdgeFamily> families = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      families.add(new EdgeFamily(name + i));
    }
    return families;
  }
}
