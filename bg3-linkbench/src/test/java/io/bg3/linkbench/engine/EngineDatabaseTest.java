package io.bg3.linkbench.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.EdgeId;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkDatabaseContract;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.NodeRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BG3 does what LinkBench expects; ids go on after the store was closed. */
class EngineDatabaseTest extends LinkDatabaseContract {
  private static final long TYPE = 123_456_789L;

  @TempDir private Path directory;

  @Override
  protected LinkDatabase open() {
    return EngineDatabase.open(settings("contract"));
  }

  @Test
  void idsGoOnAfterTheStoreWasClosed() {
    try (LinkDatabase store = EngineDatabase.open(settings("ids"));
        LinkSession session = store.session()) {
      session.resetNodes(100);
    }
    assertArrayEquals(new long[] {100, 101}, added(2));
    assertArrayEquals(new long[] {102}, added(1));
    try (LinkDatabase store = EngineDatabase.open(settings("ids"));
        LinkSession session = store.session()) {
      assertTrue(session.deleteNode(7, 102));
      assertTrue(session.deleteNode(7, 101));
    }
    assertArrayEquals(new long[] {103}, added(1), "an id is not given twice");
    assertArrayEquals(new long[] {104, 105, 106}, added(3));
  }

  @Test
  void whatWasWrittenIsThereAfterTheStoreWasClosed() {
    LinkRow link = new LinkRow(1, TYPE, 2, LinkRow.VISIBLE, 3, 4, new byte[] {5});
    try (LinkDatabase store = EngineDatabase.open(settings("kept"));
        LinkSession session = store.session()) {
      session.addLink(link);
      session.addLink(new LinkRow(1, TYPE, 9, LinkRow.HIDDEN, 3, 4, new byte[0]));
    }
    try (LinkDatabase store = EngineDatabase.open(settings("kept"));
        LinkSession session = store.session()) {
      assertEquals(link, session.link(1, TYPE, 2));
      assertEquals(1, session.countLinks(1, TYPE));
      assertEquals(1, session.linkList(1, TYPE, 0, 10, 0, 10).length);
      assertNull(session.link(1, TYPE + 1, 2));
    }
  }

  @Test
  void nodesAndLinksAreOrdinaryVerticesAndEdges() throws IOException {
    try (LinkDatabase store = EngineDatabase.open(settings("graph"));
        LinkSession session = store.session()) {
      session.resetNodes(1);
      session.addNodes(List.of(new NodeRow(-1, 2048, 1, 2, new byte[] {3})));
      session.addLink(new LinkRow(1, TYPE, 2, LinkRow.VISIBLE, 3, 4, new byte[] {5}));
    }
    try (Bg3 store = Bg3.open(settings("graph"));
        GraphTransaction transaction = store.graph().beginReadOnly()) {
      assertEquals(1, transaction.vertexCount("2048"));
      EdgeId edge =
          new EdgeId(1, store.graph().declaredEdgeLabel(Long.toString(TYPE)).code(), 2, 0);
      assertTrue(transaction.edgeExists(edge));
      assertEquals(List.of(), store.check(count -> {}));
    }
  }

  private long[] added(int count) {
    try (LinkDatabase store = EngineDatabase.open(settings("ids"));
        LinkSession session = store.session()) {
      NodeRow node = new NodeRow(-1, 7, 0, 0, new byte[0]);
      return session.addNodes(Collections.nCopies(count, node));
    }
  }

  private Settings settings(String name) {
    return Settings.defaults()
        .with(Setting.DIRECTORY, directory.resolve(name).toString())
        .with(Setting.DURABILITY, "none")
        .with(Setting.MEMORY_BUDGET, "64m");
  }
}
