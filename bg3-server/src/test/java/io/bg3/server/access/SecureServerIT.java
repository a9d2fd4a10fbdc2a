package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServedFixture;
import io.bg3.server.ServerSettings;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.csv.CsvGraphFile;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteTarget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server with users, TLS, HTTP and an audit log, and clients that may come in and others.
 *
 * <p>Takes about 8 s, most of it password comparisons: it covers users, TLS, HTTP and audit
 * together. It has no longer form.
 */
class SecureServerIT {
  @TempDir private static Path directory;
  private static Path keystore;
  private static Path audit;
  private static UsersFile users;
  private static Bg3Server server;
  private static int port;
  private static int httpPort;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    keystore = Keystores.make(directory.resolve("server.p12"), "-validity", "2");
    users = TestUsers.write(directory.resolve("users"));
    users.put(TestUsers.user("leaver", Role.WRITER));
    audit = directory.resolve("audit.log");
    port = ServedFixture.freePort();
    httpPort = ServedFixture.freePort();
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    server = Bg3Server.start(ServerSettings.of(settings()), graph);
    http = HttpClient.newBuilder().sslContext(trusting()).build();
  }

  private static Map<String, String> settings() {
    return Map.of(
        "server.port", Integer.toString(port),
        "server.http.port", Integer.toString(httpPort),
        "server.handshake.timeout", "120000",
        "server.evaluation.timeout", "300000",
        "server.users", users.path().toString(),
        "server.audit.file", audit.toString(),
        "server.tls.keystore", keystore.toString(),
        "server.tls.password", Keystores.PASSWORD);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aLoadComesInByNameOverTls() throws Exception {
    Path file = Files.writeString(directory.resolve("load.csv"), "~id,~label\nloaded-1,loaded\n");
    try (RemoteGraph graph = new RemoteGraph(address("ada", "ada-secret"))) {
      LoadSummary summary =
          new Loader(0, row -> {}, count -> {})
              .load(List.of(new CsvGraphFile(file)), rows -> new RemoteTarget(graph, false, rows));
      assertEquals(1, summary.vertices());
    }
    TransferException refused =
        assertThrows(TransferException.class, () -> new RemoteGraph(address("ada", "guess")));
    assertTrue(refused.getMessage().startsWith("cannot reach the server: "), refused.getMessage());
    assertFalse(refused.getMessage().contains("guess"), refused.getMessage());
  }

  private static RemoteGraph.Address address(String user, String password) {
    return new RemoteGraph.Address(
        "localhost", port, user, password, true, keystore, Keystores.PASSWORD);
  }

  @Test
  void aWriterWritesAndTransacts() {
    with(
        "ada",
        "ada-secret",
        g -> {
          g.addV("secure").iterate();
          Transaction tx = g.tx();
          GraphTraversalSource inside = tx.begin();
          inside.addV("secure").iterate();
          tx.commit();
          assertEquals(2L, g.V().hasLabel("secure").count().next());
        });
  }

  @Test
  void aReaderReadsAndDoesNotWrite() {
    with("ada", "ada-secret", g -> g.addV("kept").property("n", 1).iterate());
    with(
        "bob",
        "bob-secret",
        g -> {
          assertEquals(List.of(1), g.V().hasLabel("kept").values("n").toList());
          assertRefused(() -> g.addV("kept").iterate());
          assertRefused(() -> g.mergeV(Map.of(T.label, "kept")).iterate());
          assertRefused(() -> g.V().hasLabel("kept").drop().iterate());
          assertRefused(() -> g.V().hasLabel("kept").property("n", 2).iterate());
          assertRefused(() -> g.inject(1).local(__.sideEffect(__.addV("kept"))).iterate());
          Transaction tx = g.tx();
          GraphTraversalSource inside = tx.begin();
          assertEquals(1L, inside.V().hasLabel("kept").count().next());
          assertRefused(() -> inside.addV("kept").iterate());
          tx.rollback();
          assertEquals(1L, g.V().hasLabel("kept").count().next());
        });
  }

  @Test
  void aReaderCallsServicesThatOnlyRead() {
    with(
        "ada",
        "ada-secret",
        g -> {
          Map<Object, Object> form = Map.of("label", "likes", "sortKey", "time", "loose", true);
          assertEquals(true, g.call("bg3.links.declare", form).next());
          assertEquals("absent", g.call("bg3.links.add", link()).next());
        });
    with(
        "bob",
        "bob-secret",
        g -> {
          Map<Object, Object> source = Map.of("label", "likes", "source", 1L);
          assertEquals(
              List.of(List.of(2L, 3L, true, Map.of())), g.call("bg3.links.list", source).toList());
          assertTrue(g.call().toList().contains("bg3.links.add"));
          assertRefused(() -> g.call("bg3.links.add", link()).iterate());
          assertRefused(() -> g.call("bg3.nodes.reset", Map.of("next", 1L)).iterate());
          assertRefused(() -> g.inject(1).map(__.call("bg3.links.add", link())).iterate());
          assertEquals(
              ByteBuffer.wrap(new byte[] {1, 0, 1, 0, 0, 0, 0, 1, 0}),
              g.call("bg3.batch.read", batch(7)).next());
          assertRefused(() -> g.call("bg3.batch", batch(7)).iterate());
          CompletionException e =
              assertThrows(
                  CompletionException.class,
                  () -> g.call("bg3.batch.read", batch(2, 0, 0, 0, 0, 0, 0, 0, 2, 0)).iterate());
          assertTrue(e.getMessage().contains("an operation writes"), e.getMessage());
        });
  }

  /** A batch of one operation on 'likes' and vertex 1. */
  private static Map<Object, Object> batch(int code, int... more) {
    byte[] start = {1, 0, 1, 0, 5, 'l', 'i', 'k', 'e', 's', 0, 1, (byte) code, 0, 0};
    ByteBuffer bytes = ByteBuffer.allocate(start.length + Long.BYTES + more.length);
    bytes.put(start).putLong(1);
    for (int each : more) {
      bytes.put((byte) each);
    }
    return Map.of("operations", bytes.flip());
  }

  private static Map<Object, Object> link() {
    return Map.of("label", "likes", "source", 1L, "target", 2L, "sortKey", 3L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.call('bg3.links.add', [label:'likes',source:1L,target:2L,sortKey:3L])",
        "g.addV('text')",
        "g.inject(1).sideEffect(addV('text'))",
        "g.inject(1).map(__.addV('text'))",
        "g.withStrategies(new SubgraphStrategy(vertices: __.sideEffect(addV('text')))).V()",
        "g.mergeV([(T.label):'text'])",
        "g.inject(1);g.addV('text')"
      })
  void aReaderDoesNotWriteByText(String text) throws Exception {
    Cluster cluster = cluster("bob", "bob-secret");
    try {
      for (Client client : List.<Client>of(cluster.connect(), cluster.connect("session"))) {
        assertThrows(Exception.class, () -> client.submit(text).all().get());
      }
      Client client = cluster.connect();
      assertEquals(
          0L, client.submit("g.V().hasLabel('text').count()").all().get().get(0).getLong(), text);
    } finally {
      cluster.close();
    }
  }

  @Test
  void aWrongPasswordGetsNothing() {
    for (String[] who : new String[][] {{"ada", "wrong-one"}, {"eve", "ada-secret"}}) {
      Cluster cluster = cluster(who[0], who[1]);
      try {
        GraphTraversalSource g = ServedFixture.source(cluster);
        Exception refused = assertThrows(Exception.class, () -> g.V().count().next());
        assertTrue(text(refused).contains("user name or password is wrong"), text(refused));
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  void whoSaysNothingOfHimselfGetsNothing() throws Exception {
    Cluster cluster = builder().create();
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      assertThrows(Exception.class, () -> g.V().count().next());
    } finally {
      cluster.close();
    }
    HttpResponse<String> answer = query(null, "g.V().count()");
    assertEquals(401, answer.statusCode(), answer.body());
    assertTrue(answer.headers().firstValue("www-authenticate").get().startsWith("Basic "));
  }

  @Test
  void httpAsksTheSameUsers() throws Exception {
    assertEquals(200, query("ada:ada-secret", "g.addV('web')").statusCode());
    assertEquals(200, query("bob:bob-secret", "g.V().hasLabel('web')").statusCode());
    assertEquals(403, query("bob:bob-secret", "g.addV('web')").statusCode());
    assertEquals(401, query("zoe:bob-secret", "g.V()").statusCode());
    assertEquals(401, query("zoe", "g.V()").statusCode());
  }

  @Test
  void plainConnectionsAndOldProtocolsAreRefused() throws Exception {
    assertThrows(
        IOException.class,
        () ->
            http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/gremlin"))
                    .timeout(Duration.ofMinutes(5))
                    .build(),
                HttpResponse.BodyHandlers.ofString()));
    try (SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", port)) {
      assertEquals(List.of("TLSv1.3"), List.of(protocol(socket, "TLSv1.3")));
    }
    try (SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", port)) {
      assertEquals("TLSv1.2", protocol(socket, "TLSv1.2"));
    }
    try (SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", port)) {
      assertThrows(IOException.class, () -> protocol(socket, "TLSv1.1"));
    }
  }

  @Test
  void whoIsRemovedIsOutAtOnce() throws Exception {
    with(
        "leaver",
        "leaver-secret",
        g -> {
          g.V().count().next();
          remove("leaver");
          awaitRefused(() -> g.V().count().next()); // the server looks once a second
        });
  }

  @Test
  void theAuditLogSaysWhoAskedForWhatAndWhetherHeWasLet() throws Exception {
    with(
        "ada",
        "ada-secret",
        g -> {
          g.V().has("mark", "seen").toList();
          g.call("bg3.batch", batch(7)).toList();
          g.call("bg3.batch.read").with("operations", batch(5).get("operations")).toList();
          assertRefused(
              () -> g.call("bg3.batch").with("operations", __.constant(batch(7))).iterate());
        });
    query("bob:bob-secret", "g.addV('mark\nlogin user')");
    query("nobody:nothing-1", "g.V()");
    String log = Files.readString(audit);
    assertLine(log, "login user=\"ada\" from=127\\.0\\.0\\.1:\\d+ via=websocket outcome=allowed");
    assertLine(
        log,
        "request user=\"ada\" role=writer graph=g from=127\\.0\\.0\\.1:\\d+ via=websocket"
            + " op=bytecode outcome=allowed query=\".*mark.*seen.*\"");
    assertLine(log, "request user=\"ada\" .* query=\".*bg3.batch.*\\[nodes.get likes 1\\]\"");
    assertLine(log, "request user=\"ada\" .* query=\".*with.*\\[links.count likes 1\\]\"");
    assertLine(
        log,
        "request user=\"bob\" role=reader graph=g from=127\\.0\\.0\\.1:\\d+ via=http op=eval"
            + " outcome=refused reason=\".*read.*\" query=\"g.addV\\('mark\\\\u000alogin.*\"");
    assertLine(log, "login user=\"nobody\" from=\\S+ via=http outcome=refused reason=\".*\"");
    assertFalse(log.contains("-secret"), "no password is written down");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(audit)));
  }

  private static void assertLine(String log, String pattern) {
    assertTrue(
        log.lines().anyMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT\\S+ " + pattern)),
        pattern + "\n" + log);
  }

  private static String protocol(SSLSocket socket, String protocol) throws IOException {
    socket.setEnabledProtocols(new String[] {protocol});
    socket.startHandshake();
    return socket.getSession().getProtocol();
  }

  private static void remove(String name) {
    try {
      users.remove(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private interface Query {
    void on(GraphTraversalSource g);
  }

  private static void with(String name, String password, Query query) {
    Cluster cluster = cluster(name, password);
    try {
      query.on(ServedFixture.source(cluster));
    } finally {
      cluster.close();
    }
  }

  private static Cluster cluster(String name, String password) {
    return builder().credentials(name, password).create();
  }

  private static Cluster.Builder builder() {
    return Cluster.build("127.0.0.1")
        .port(port)
        .enableSsl(true)
        .trustStore(keystore.toString())
        .trustStorePassword(Keystores.PASSWORD)
        .keyStoreType("PKCS12")
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS);
  }

  private static SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance(keystore.toFile(), Keystores.PASSWORD.toCharArray());
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("server", store.getCertificate("server"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static HttpResponse<String> query(String user, String text) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + httpPort + "/gremlin"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"gremlin\":\"" + text.replace("\n", "\\n") + "\"}"));
    if (user != null) {
      String encoded = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
      request.header("Authorization", "Basic " + encoded);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void assertRefused(Runnable query) {
    assertThrows(RuntimeException.class, query::run);
  }

  private static void awaitRefused(Runnable query) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      try {
        query.run();
      } catch (RuntimeException refused) {
        return;
      }
      assertTrue(System.nanoTime() < end, "still let in");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(cause).append('\n');
    }
    return text.toString();
  }
}
