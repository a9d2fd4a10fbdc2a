package io.bg3.transfer.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.transfer.TransferException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads the answers of servers, of this version and of others. */
class ServiceDefinitionsTest {
  private static final Map<String, Object> LABEL =
      Map.of(
          "kind", "edge", "label", "knows", "loose", false, "counted", true, "counters", "ready");

  @Test
  void aRowOfALabelIsItsDeclaration() throws TransferException {
    Definitions read = definitions(LABEL);
    LabelDefinition expected = new LabelDefinition("knows", EdgeLabelForm.plain().asCounted());
    assertEquals(List.of(expected), read.labels());
    assertEquals(List.of(), read.schemas());
  }

  @Test
  void aPropertyOfALabelThatIsNotKnownIsRefused() {
    Map<String, Object> newer = new HashMap<>(LABEL);
    newer.put("compressed", true);
    TransferException refused = assertThrows(TransferException.class, () -> definitions(newer));
    assertTrue(
        refused.getMessage().startsWith("h:1 bg3.schema.list: [0].compressed: unknown member"),
        refused.getMessage());
    newer.remove("compressed");
    newer.putAll(Map.of("state", "enforced", "done", 5L, "closed", true, "strict", true));
    refused = assertThrows(TransferException.class, () -> definitions(newer));
    assertTrue(refused.getMessage().contains("[0].strict: unknown"), refused.getMessage());
  }

  private static Definitions definitions(Map<String, Object> label) throws TransferException {
    return new ServiceDefinitions("h:1", List.of(), List.of(label), List.of()).definitions();
  }
}
