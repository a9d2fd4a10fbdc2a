package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.TestUsers;
import io.bg3.server.guard.Messages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends what it can to a server of 512 MB before it logs in.
 *
 * <p>Takes about 20 s, because a late login has to be refused: it proves that a stranger cannot
 * fill the memory. It has no longer form.
 */
class BeforeLoginIT {
  private static final int MEBIBYTE = 1 << 20;

  /** An attack on the server behind a port. */
  private interface Attack {
    void on(int port) throws Exception;
  }

  @TempDir private Path directory;

  /** The server keeps what it was sent until the login is too late, which is soon here. */
  @Test
  void requestsBeforeALoginDoNotFillTheMemory() throws Exception {
    survives(BeforeLoginIT::requestsThatWait, "server.login.timeout=10000");
  }

  /** No time limit ends the connections while this test looks: the limit on memory has to. */
  @Test
  void partsOfMessagesBeforeALoginDoNotFillTheMemory() throws Exception {
    survives(BeforeLoginIT::partsOfMessages, "server.login.timeout=600000");
  }

  private void survives(Attack attack, String setting) throws Exception {
    int port = ServedFixture.freePort();
    Path config = directory.resolve("bg3.properties");
    Files.writeString(
        config,
        String.join(
            "\n",
            "server.port=" + port,
            "server.handshake.timeout=120000",
            "server.users=" + TestUsers.write(directory.resolve("users")).path(),
            setting,
            ""));
    try (Launched server =
        Launched.bg3("server", "--data", directory.resolve("d").toString(), "--config", "" + config)
            .awaitListening()) {
      attack.on(port);
      assertTrue(server.isAlive(), server.output());
      Cluster cluster =
          Cluster.build("127.0.0.1")
              .port(port)
              .credentials("ada", "ada-secret")
              .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
              .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
              .create();
      try {
        assertEquals(1L, ServedFixture.source(cluster).inject(1).count().next());
      } finally {
        cluster.close();
      }
      assertTrue(server.isAlive(), server.output());
    }
  }

  /** Requests of little more than six bytes for each map that they are decoded to. */
  private static void requestsThatWait(int port) throws Exception {
    Bytecode query = new Bytecode();
    query.addStep("inject", Collections.nCopies(170_000, Map.of()));
    byte[] request = Messages.binary(query);
    assertTrue(request.length < MEBIBYTE, "bytes=" + request.length);
    try (Wire one = new Wire(port);
        Wire other = new Wire(port)) {
      for (int i = 0; i < 32; i++) {
        send(one, request, true);
        send(other, request, true);
      }
      one.awaitClosed();
      other.awaitClosed();
    }
  }

  private static void partsOfMessages(int port) throws Exception {
    List<Wire> wires = new ArrayList<>();
    for (int connection = 0; connection < 100; connection++) {
      Wire wire = new Wire(port);
      wires.add(wire);
      send(wire, new byte[MEBIBYTE - 1_000], false);
    }
    int closed = 0;
    for (int i = 0; i < 3_000 && closed < 50; i++) {
      Thread.sleep(100);
      closed = (int) wires.stream().filter(Wire::isClosed).count();
    }
    assertTrue(closed >= 50, "closed=" + closed);
    wires.forEach(Wire::close);
  }

  private static void send(Wire wire, byte[] bytes, boolean last) throws InterruptedException {
    try {
      wire.sendPart(bytes, last);
    } catch (RuntimeException closed) {
      Thread.sleep(10);
    }
  }
}
