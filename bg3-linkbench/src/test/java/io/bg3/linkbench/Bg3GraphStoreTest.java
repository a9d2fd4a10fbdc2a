package io.bg3.linkbench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.facebook.LinkBench.Link;
import com.facebook.LinkBench.LinkCount;
import com.facebook.LinkBench.LinkStore;
import com.facebook.LinkBench.Node;
import com.facebook.LinkBench.Phase;
import io.bg3.Bg3;
import io.bg3.linkbench.workload.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter as LinkBench's driver uses it, on signatures of LinkBench's classes. */
class Bg3GraphStoreTest {
  private static final String DB = "linkdb";
  private static final long TYPE = LinkStore.DEFAULT_LINK_TYPE;
  private static final int NODE = LinkStore.DEFAULT_NODE_TYPE;

  @TempDir private Path directory;

  @Test
  void answersAsLinkBenchExpects() {
    Bg3GraphStore store = store();
    store.resetNodeStore(DB, 7);
    Link link = link(1, 2, 10);
    assertTrue(store.addLink(DB, link, true));
    assertFalse(store.addLink(DB, link, true));
    assertTrue(store.updateLink(DB, link(1, 2, 11), true));
    assertFalse(store.updateLink(DB, link(1, 3, 12), true));
    assertEquals(link(1, 2, 11), store.getLink(DB, 1, TYPE, 2));
    assertNull(store.getLink(DB, 1, TYPE, 4));
    assertArrayEquals(new Link[] {link(1, 3, 12), link(1, 2, 11)}, store.getLinkList(DB, 1, TYPE));
    assertNull(store.getLinkList(DB, 2, TYPE), "no links are null");
    assertNull(store.getLinkList(DB, 1, TYPE, 13, 20, 0, 10));
    assertEquals(0, store.multigetLinks(DB, 1, TYPE, new long[] {9}).length);
    assertTrue(store.deleteLink(DB, 1, TYPE, 2, true, false));
    assertEquals(LinkStore.VISIBILITY_HIDDEN, store.getLink(DB, 1, TYPE, 2).visibility);
    assertEquals(1, store.countLinks(DB, 1, TYPE));
    Node node = new Node(-1, NODE, 3, 4, new byte[] {5});
    assertEquals(7, store.addNode(DB, node));
    assertEquals(-1, node.id, "the node itself is not changed");
    assertArrayEquals(new long[] {8, 9}, store.bulkAddNodes(DB, List.of(node, node)));
    assertEquals(new Node(8, NODE, 3, 4, new byte[] {5}), store.getNode(DB, NODE, 8));
    assertNull(store.getNode(DB, NODE + 1, 8));
    assertTrue(store.updateNode(DB, new Node(8, NODE, 4, 5, new byte[0])));
    assertTrue(store.deleteNode(DB, NODE, 8));
    assertFalse(store.deleteNode(DB, NODE, 8));
    store.close();
  }

  @Test
  void listsAreCutAtTheRangeLimit() {
    Bg3GraphStore store = store();
    for (int i = 0; i < 5; i++) {
      store.addLink(DB, link(1, i, i), true);
    }
    store.setRangeLimit(3);
    assertEquals(3, store.getLinkList(DB, 1, TYPE).length);
    store.close();
  }

  @Test
  void aBulkLoadIsCounted() {
    Bg3GraphStore store = store();
    assertTrue(store.bulkLoadBatchSize() > 0);
    store.addBulkLinks(DB, List.of(link(1, 2, 3), link(1, 3, 4), link(1, 2, 5)), true);
    store.addBulkCounts(DB, List.of(new LinkCount(1, TYPE, 5, 0, 2)));
    assertEquals(2, store.countLinks(DB, 1, TYPE));
    assertEquals(5, store.getLink(DB, 1, TYPE, 2).time);
    store.close();
  }

  @Test
  void instancesShareTheStoreUntilTheLastIsClosed() throws IOException {
    Bg3GraphStore one = store();
    Bg3GraphStore other = store();
    one.addLink(DB, link(1, 2, 3), true);
    one.close();
    assertEquals(1, other.countLinks(DB, 1, TYPE));
    other.clearErrors(1);
    assertEquals(1, other.countLinks(DB, 1, TYPE));
    other.close();
    other.close(); // harmless
    try (Bg3 store = Bg3.open(directory.resolve(DB))) {
      assertEquals(List.of(), store.check(count -> {}));
    }
    Bg3GraphStore later = store();
    assertEquals(1, later.countLinks(DB, 1, TYPE), "the next phase finds it");
    later.close();
  }

  @Test
  void everyDbidIsAStoreOfItsOwn() {
    Bg3GraphStore store = store();
    store.addLink(DB, link(1, 2, 3), true);
    assertEquals(0, store.countLinks("other", 1, TYPE));
    store.resetNodeStore("other", 50);
    assertEquals(50, store.addNode("other", new Node(-1, NODE, 0, 0, new byte[0])));
    assertEquals(1, store.countLinks(DB, 1, TYPE));
    store.close();
  }

  @Test
  void whatIsWrongInTheSettingsIsNamed() {
    assertWrong("key=bg3.directory", "bg3.directory", null);
    assertWrong("bg3.durabilty", "bg3.durabilty", "sync");
    assertWrong("bg3.durability", "bg3.durability", "always");
    assertWrong("dbid", "dbid", "../elsewhere");
  }

  private void assertWrong(String part, String key, String value) {
    Properties properties = properties();
    if (value == null) {
      properties.remove(key);
    } else {
      properties.setProperty(key, value);
    }
    String message =
        assertThrows(
                ConfigException.class,
                () -> new Bg3GraphStore().initialize(properties, Phase.LOAD, 0))
            .getMessage();
    assertTrue(message.contains(part), message);
  }

  private Bg3GraphStore store() {
    Bg3GraphStore store = new Bg3GraphStore();
    store.initialize(properties(), Phase.REQUEST, 0);
    return store;
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("bg3.directory", directory.toString());
    properties.setProperty("bg3.durability", "none");
    properties.setProperty("bg3.memory.budget", "64m");
    properties.setProperty("dbid", DB);
    return properties;
  }

  private static Link link(long id1, long id2, long time) {
    return new Link(id1, TYPE, id2, LinkStore.VISIBILITY_DEFAULT, new byte[] {1, 2, -3}, 4, time);
  }
}
