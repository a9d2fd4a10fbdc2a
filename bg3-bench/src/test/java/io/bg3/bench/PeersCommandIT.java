package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinWork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with the systems that bring a TinkerPop of their own, on a graph of a few thousand
 * edges. Maven gets their libraries, so the test needs a repository that has them, and runs only
 * where it is asked for (the profile {@code torture}).
 */
@EnabledIfSystemProperty(named = "bg3.torture.peers", matches = "true")
class PeersCommandIT {
  private static final List<GremlinSystem> PEERS =
      List.of(GremlinSystem.JANUSGRAPH, GremlinSystem.ARCADEDB);

  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  private static void getLibraries() {
    for (GremlinSystem peer : PEERS) {
      try {
        assertTrue(new PeerLibraries().classPath(peer).contains(peer.text()));
      } catch (IOException e) {
        Assumptions.abort(e.getMessage());
      }
    }
  }

  @Test
  void peersGiveTheAnswersOfBg3ToEveryTraversal() throws IOException {
    getLibraries();
    List<String> lines = bg3.gremlin(directory, "--systems=bg3,janusgraph,arcadedb");
    for (GremlinSystem peer : PEERS) {
      assertTrue(bg3.out.toString().contains(peer.text() + ": TinkerPop 3.7."), bg3.out::toString);
      for (GremlinWork work : GremlinWork.values()) {
        assertEquals(
            1, CommandRun.count(lines, work.text(), peer.text()), () -> work + "\n" + bg3.out);
      }
    }
  }
}
