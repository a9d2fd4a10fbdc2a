package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.linkbench.StoreSettings;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import io.bg3.linkbench.phase.CountCheck;
import io.bg3.linkbench.phase.PhaseControl;
import io.bg3.linkbench.phase.Replay;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigFiles;
import io.bg3.linkbench.workload.NodeDegrees;
import io.bg3.linkbench.workload.PhaseSeeds;
import io.bg3.server.access.TestUsers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LinkBench's workload through a server answers as maps on the heap do.
 *
 * <p>Takes about 15 s: it compares every answer of the remote store with a model. The number of
 * nodes and requests in its configuration make it longer or shorter.
 */
class RemoteLinkBenchIT {
  private static final int REQUESTS = 2_000;
  private static final int SESSIONS = 8;
  private static final int EACH = 40;
  private static final int LARGE = 200_000; // eight of them are not in one message
  private static final long TYPE = 123_456_789;
  private static final long ALL = 1_000_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void answersAsTheModelDoes(int gather) throws IOException {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    ServedFixture served = new ServedFixture(graph, Map.of());
    Config config = config(served.port(), gather);
    NodeDegrees degrees = new NodeDegrees(config);
    PhaseControl control = new PhaseControl(by -> {});
    try (LinkDatabase database = new StoreSettings(config).open("linkdb")) {
      Replay replay = new Replay(database, config, degrees, control);
      replay.load(PhaseSeeds.of(config, "load_random_seed"));
      assertEquals(List.of(), replay.run(PhaseSeeds.of(config, "request_random_seed"), REQUESTS));
      assertEquals(List.of(), new CountCheck(database, config, degrees, control).run());
    } finally {
      served.close();
    }
  }

  /** Sessions write to lists of their own and to one of all, and share requests. */
  @Test
  void manySessionsShareRequestsAndEachGetsItsOwnAnswers() throws Exception {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    ServedFixture served = new ServedFixture(graph, Map.of());
    try (LinkDatabase database = new StoreSettings(config(served.port(), 64)).open("linkdb")) {
      List<CompletableFuture<Void>> sessions =
          IntStream.rangeClosed(1, SESSIONS)
              .mapToObj(
                  id ->
                      CompletableFuture.runAsync(
                          () -> work(database, id), work -> new Thread(work).start()))
              .toList();
      sessions.forEach(CompletableFuture::join);
      try (LinkSession session = database.session()) {
        assertEquals(SESSIONS * EACH, session.countLinks(ALL, TYPE));
        assertEquals(
            SESSIONS * EACH, session.linkList(ALL, TYPE, 0, Long.MAX_VALUE, 0, 10_000).length);
      }
    } finally {
      served.close();
    }
  }

  private static void work(LinkDatabase database, int id) {
    byte[] large = new byte[LARGE];
    Arrays.fill(large, (byte) id);
    try (LinkSession session = database.session()) {
      long node = session.addNodes(List.of(new NodeRow(0, 2048, 1, 2, large)))[0];
      for (int i = 0; i < EACH; i++) {
        LinkRow own = new LinkRow(id, TYPE, i, LinkRow.VISIBLE, id, i, new byte[] {(byte) i});
        assertTrue(session.addLink(own));
        assertTrue(
            session.addLink(
                new LinkRow(ALL, TYPE, id * 1_000L + i, LinkRow.VISIBLE, id, i, new byte[id])));
        assertEquals(own, session.link(id, TYPE, i));
        LinkRow[] newest = session.linkList(id, TYPE, 0, Long.MAX_VALUE, 0, 5);
        assertEquals(Math.min(5, i + 1), newest.length);
        assertEquals(own, newest[0]);
        assertEquals(i + 1, session.countLinks(id, TYPE));
        assertEquals(new NodeRow(node, 2048, 1, 2, large), session.node(2048, node));
      }
      assertThrows(
          LinkStoreException.class, () -> session.linkList(id, TYPE, 0, Long.MAX_VALUE, -1, 5));
      assertTrue(session.deleteLink(id, TYPE, 0, true));
      assertNull(session.link(id, TYPE, 0));
    }
  }

  @Test
  void whoIsAskedForANameGivesIt(@TempDir Path directory) throws Exception {
    String users = TestUsers.write(directory.resolve("users")).path().toString();
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    ServedFixture served = new ServedFixture(graph, Map.of("server.users", users));
    Map<String, String> name =
        Map.of("bg3.remote.user", "ada", "bg3.remote.password", "ada-secret");
    try (LinkDatabase database =
        new StoreSettings(config(served.port(), 64, name)).open("linkdb")) {
      work(database, 1);
    } finally {
      served.close();
    }
  }

  @Test
  void aServerThatWasGoneIsFoundAgain() throws Exception {
    int port = ServedFixture.freePort();
    Bg3Server first = serve(port);
    try (LinkDatabase database = new StoreSettings(config(port, 64)).open("linkdb");
        LinkSession session = database.session()) {
      assertEquals(0, session.countLinks(1, TYPE));
      first.close();
      assertThrows(LinkStoreException.class, () -> session.countLinks(1, TYPE));
      assertThrows(LinkStoreException.class, () -> session.countLinks(1, TYPE));
      Bg3Server second = serve(port);
      try {
        assertEquals(0, session.countLinks(1, TYPE));
      } finally {
        second.close();
      }
    }
  }

  private static Bg3Server serve(int port) throws IOException {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    return Bg3Server.start(ServerSettings.of(Map.of("server.port", Integer.toString(port))), graph);
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    StoreSettings settings = new StoreSettings(config(1, 1));
    String message =
        assertThrows(LinkStoreException.class, () -> settings.open("linkdb")).getMessage();
    assertTrue(message.contains("address=127.0.0.1:1"), message);
  }

  private static Config config(int port, int gather) {
    return config(port, gather, Map.of());
  }

  private static Config config(int port, int gather, Map<String, String> more) {
    Map<String, String> keys = new HashMap<>(more);
    keys.put("bg3.mode", "remote");
    keys.put("bg3.remote.port", Integer.toString(port));
    keys.put("bg3.remote.connections", "2");
    keys.put("bg3.remote.gather", Integer.toString(gather));
    keys.put("maxid1", "151");
    keys.put("nlinks_func", "CONST");
    keys.put("nlinks_default", "4");
    keys.put("nlinks_config", "1");
    keys.put("requesters", "3");
    return ConfigFiles.read(Path.of("../conf/linkbench.properties"), keys);
  }
}
