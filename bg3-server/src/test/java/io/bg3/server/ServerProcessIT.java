package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bg3.testing.Seeds;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts the server as a user does, by {@code bin/bg3}, and treats it as the world does.
 *
 * <p>Takes about 75 s, most of it starts of the JVM: it is the only test of exit codes, signals,
 * locks and logs of the real process. It has no longer form.
 */
class ServerProcessIT {
  @TempDir private Path directory;

  @Test
  void keepsWhatItAcknowledgedOverTermination() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      assertTrue(
          server.output().contains("listening on ws://127.0.0.1:" + port + "/gremlin"),
          server.output());
      assertTrue(server.output().contains("data in " + store()), server.output());
      query(port, g -> g.addV("kept").property("n", 1).iterate());
      server.terminate();
      assertEquals(143, server.awaitExit());
      assertTrue(server.output().endsWith("stopped, store closed"), server.output());
    }
    try (Launched server = serve(port)) {
      server.awaitListening();
      query(
          port,
          g -> {
            assertEquals(List.of(1), g.V().hasLabel("kept").values("n").toList());
            assertTrue(g.call().toList().contains("bg3.links.list"));
          });
    }
  }

  @Test
  void aStoreThatCannotBeClosedIsSaidToBe() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      query(port, g -> g.addV("kept").iterate());
      Path moved = directory.resolve("moved");
      Files.move(store(), moved); // the last checkpoint finds no directory
      server.terminate();
      assertEquals(1, server.awaitExit(), server::output);
      assertTrue(
          server.output().contains("bg3: stopped, but the store was not closed: reason="),
          server.output());
      assertFalse(server.output().contains("stopped, store closed"), server.output());
      Files.move(moved, store());
    }
    try (Launched server = serve(port)) {
      server.awaitListening();
      query(port, g -> assertEquals(1L, g.V().hasLabel("kept").count().next()));
    }
  }

  @Test
  void aStopDuringTheStartIsNoFailure() throws Exception {
    int port = ServedFixture.freePort();
    long begin = System.nanoTime();
    try (Launched server = serve(port)) {
      server.awaitListening();
    }
    long start = System.nanoTime() - begin;
    Random random = new Random(Seeds.one());
    for (int round = 0; round < 6; round++) {
      try (Launched server = serve(port)) {
        TimeUnit.NANOSECONDS.sleep((long) (start * (0.4 + 0.6 * random.nextDouble())));
        server.terminate();
        assertEquals(143, server.awaitExit(), server::output);
        assertFalse(server.output().contains("hutdown in progress"), server.output());
        assertFalse(server.output().contains("\tat "), server.output());
      }
    }
    assertSound();
  }

  @Test
  void aQueryThatFillsTheHeapEndsAndTheServerGoesOn() throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        fillTheHeap();
        return;
      } catch (AssertionError e) { // the thread that looks at the heap was stopped for too long
        if (attempt == 3) {
          throw e;
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // union() takes an array of generic traversals
  private void fillTheHeap() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      for (int round = 0; round < 2; round++) {
        query(
            port,
            g -> {
              var large =
                  g.inject(1)
                      .repeat(__.union(__.constant(1), __.constant(2)))
                      .times(26)
                      .path()
                      .dedup() // keeps every path, each of them small
                      .count();
              assertThrows(CompletionException.class, large::next);
              assertEquals(1L, g.inject(1).count().next());
            });
      }
      assertTrue(server.output().contains("the heap is nearly full"), server.output());
      assertTrue(server.isAlive(), server.output());
    }
  }

  /** The scheduler gives threads of long queries a low priority, and bin/bg3 lets Linux see it. */
  @Test
  void aLongQueryRunsAtALowPriorityOfTheSystem() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/task")), "threads are listed in /proc");
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      query(
          port,
          g -> {
            var endless =
                ServedFixture.begin(() -> g.inject(1).repeat(__.identity()).until(__.is(0)).next());
            awaitNice(server.pid(), "bg3-query", 10, endless);
            assertEquals(1L, g.inject(1).count().next());
            assertFalse(endless.isDone());
          });
      awaitNice(server.pid(), "gremlin-server-", 0, new CompletableFuture<>());
    }
  }

  /**
   * Waits until the process has a thread whose name begins so, with the nice value.
   *
   * @param query may not end before
   */
  private static void awaitNice(long pid, String name, int nice, CompletableFuture<?> query)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    List<NiceThread> threads = niceThreads(pid);
    while (threads.stream().noneMatch(one -> one.name.startsWith(name) && one.nice == nice)) {
      if (query.isDone()) {
        throw new AssertionError("the query has ended: " + query.handle((answer, e) -> e).get());
      }
      List<NiceThread> now = threads;
      assertTrue(
          System.nanoTime() < end, () -> name + " has no thread with nice=" + nice + ": " + now);
      TimeUnit.MILLISECONDS.sleep(50);
      threads = niceThreads(pid);
    }
  }

  /** A thread as the system sees it. */
  private record NiceThread(String name, int nice) {}

  private static List<NiceThread> niceThreads(long pid) {
    List<NiceThread> threads = new ArrayList<>();
    Path directory = Path.of("/proc/" + pid + "/task");
    for (String thread : directory.toFile().list()) {
      try {
        String stat = Files.readString(directory.resolve(thread).resolve("stat"));
        int at = stat.lastIndexOf(')');
        String name = stat.substring(stat.indexOf('(') + 1, at);
        threads.add(
            new NiceThread(name, Integer.parseInt(stat.substring(at + 2).split(" ", -1)[16])));
      } catch (IOException e) {
        // the thread has ended
      }
    }
    return threads;
  }

  @Test
  void keepsWhatItAcknowledgedOverAKill() throws Exception {
    int port = ServedFixture.freePort();
    for (int round = 0; round < 3; round++) {
      try (Launched server = serve(port)) {
        server.awaitListening();
        long before = round;
        query(
            port,
            g -> {
              assertEquals(before, g.V().hasLabel("kept").count().next());
              g.addV("kept").iterate();
            });
        assertEquals(round * (round + 1L) / 2, batched(port, round + 1) - round - 1);
        server.kill();
      }
      assertSound();
    }
  }

  /** Adds links to a list in one request, and says how many are there then. */
  private static long batched(int port, int count) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(100 * (count + 1));
    bytes.put(new byte[] {1, 0, 1, 0, 1, 'l'}).putShort((short) count);
    for (long target = 0; target < count; target++) {
      long other = count * 100L + target;
      bytes.put(new byte[] {1, 0, 0}).putLong(1).putLong(other).putLong(target);
      bytes.put((byte) 1).putShort((short) 0);
    }
    // the whole array is sent
    ByteBuffer operations = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), bytes.position()));
    long[] counted = new long[1];
    query(
        port,
        g -> {
          Map<Object, Object> form =
              Map.of("label", "l", "sortKey", "t", "loose", true, "counted", true);
          g.call("bg3.links.declare", form).iterate();
          g.call("bg3.batch", Map.of("operations", operations)).iterate();
          counted[0] = (Long) g.call("bg3.links.count", Map.of("label", "l", "source", 1L)).next();
        });
    return counted[0];
  }

  @Test
  void theStoreIsItsOwnersOnly() throws Exception {
    try (Launched server = serve(ServedFixture.freePort())) {
      server.awaitListening();
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(store())));
    }
  }

  @Test
  void aSecondServerOnTheSameDataNamesTheFirst() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched first = serve(port).awaitListening();
        Launched second = serve(port)) {
      assertEquals(1, second.awaitExit());
      assertTrue(second.output().contains("pid=" + first.pid()), second.output());
      assertFalse(second.output().contains("\tat "), second.output());
      query(port, g -> g.addV().iterate());
    }
  }

  @Test
  void aTakenPortIsNamedAndTheStoreIsLeftClosed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
        Launched server = serve(other.getLocalPort())) {
      assertEquals(1, server.awaitExit());
      assertTrue(
          server
              .output()
              .startsWith("bg3: cannot listen: host=127.0.0.1, port=" + other.getLocalPort()),
          server.output());
      assertFalse(server.output().contains("\tat "), server.output());
    }
    assertSound();
  }

  @Test
  void anOpenAddressIsRefusedBeforeAnythingIsTouched() throws Exception {
    try (Launched server =
        Launched.bg3("server", "--host", "0.0.0.0", "--data", store().toString())) {
      assertEquals(2, server.awaitExit());
      assertTrue(server.output().contains("--insecure"), server.output());
    }
    assertTrue(Files.notExists(store()));
  }

  @Test
  void aMistakeInWhatGuardsTheDoorIsToldBeforeTheStoreIsMade() throws Exception {
    Path config = directory.resolve("tls.properties");
    Files.writeString(
        config,
        "server.tls.keystore="
            + directory.resolve("none.p12")
            + "\nserver.tls.password=wrong\nserver.http.port="
            + ServedFixture.freePort());
    try (Launched server =
        Launched.bg3("server", "--config", config.toString(), "--data", store().toString())) {
      assertEquals(1, server.awaitExit());
      assertTrue(
          server.output().startsWith("bg3: keystore does not exist: file="), server.output());
      assertFalse(server.output().contains("\tat "), server.output());
    }
    try (Launched server =
        Launched.bg3("server", "--users", "no-users", "--data", store().toString())) {
      assertEquals(1, server.awaitExit());
      assertTrue(server.output().contains("bg3 user add"), server.output());
    }
    assertTrue(Files.notExists(store()));
  }

  @Test
  void aClientsOpenTransactionEndsWithAnInterruptedServer() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port).awaitListening()) {
      Cluster cluster = ServedFixture.client(port);
      GraphTraversalSource inside = ServedFixture.source(cluster).tx().begin();
      inside.addV("open").iterate();
      server.terminate();
      assertEquals(143, server.awaitExit());
      cluster.close();
    }
    assertSound();
    try (Launched server = serve(port).awaitListening()) {
      query(port, g -> assertEquals(0L, g.V().hasLabel("open").count().next()));
      assertFalse(server.output().contains("Exception"), server.output());
    }
  }

  private Path store() {
    return directory.resolve("a store");
  }

  private Launched serve(int port) throws IOException {
    return Launched.bg3(Launched.patientServer(store(), port));
  }

  private void assertSound() throws Exception {
    try (Launched check = Launched.bg3("check", "--data", store().toString())) {
      assertEquals(0, check.awaitExit(), check.output());
    }
  }

  private interface Query {
    void on(GraphTraversalSource g) throws Exception;
  }

  private static void query(int port, Query query) throws Exception {
    Cluster cluster = ServedFixture.client(port);
    try {
      query.on(ServedFixture.source(cluster));
    } finally {
      cluster.close();
    }
  }
}
