package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.Keystores;
import io.bg3.server.access.Role;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.UsersFile;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what an operator does with a server as it is shipped: one process of {@code bin/bg3} with
 * users and TLS, and the command line beside it.
 *
 * <p>Takes about 15 s, most of it starts of the JVM. It has no longer form.
 */
class OperatorIT {
  @TempDir private static Path directory;
  private static Path keystore; // of the server
  private static Path first; // its first content
  private static int port;
  private static int metricsPort;
  private static Launched server;

  @BeforeAll
  static void start() throws Exception {
    first = Keystores.make(directory.resolve("first.p12"), "-validity", "2");
    keystore = Files.copy(first, directory.resolve("server.p12"));
    UsersFile users = TestUsers.write(directory.resolve("users"));
    users.put(TestUsers.user("root", Role.ADMIN));
    port = ServedFixture.freePort();
    metricsPort = ServedFixture.freePort();
    Path config = directory.resolve("bg3.properties");
    Files.write(
        config,
        List.of(
            "server.port=" + port,
            "server.handshake.timeout=120000",
            "server.evaluation.timeout=600000",
            "server.users=" + users.path(),
            "server.metrics.prometheus.port=" + metricsPort,
            "server.tls.keystore=" + keystore,
            "server.tls.password=" + Keystores.PASSWORD));
    server =
        Launched.bg3(
                "server",
                "--config",
                config.toString(),
                "--data",
                directory.resolve("store").toString())
            .awaitListening();
  }

  @AfterAll
  static void stop() throws Exception {
    server.terminate();
    assertEquals(143, server.awaitExit());
  }

  private static Cluster cluster(String user) {
    return Cluster.build("localhost")
        .port(port)
        .credentials(user, user + "-secret")
        .enableSsl(true)
        .trustStore(first.toString())
        .trustStorePassword(Keystores.PASSWORD)
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
        .create();
  }

  /** Runs {@code bin/bg3 queries} as a user; the exit code and what it has printed. */
  private static String queries(String user, String... more) throws Exception {
    Path password = Files.writeString(directory.resolve("password"), user + "-secret\n");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "queries",
                "--remote",
                "localhost:" + port,
                "--user",
                user,
                "--tls",
                "--trust",
                first.toString()));
    arguments.addAll(List.of(more));
    try (Launched command = Launched.fed(password, arguments.toArray(String[]::new))) {
      return command.awaitExit() + " " + command.output();
    }
  }

  @Test
  void theCommandLineListsAndEndsAQuery() throws Exception {
    Cluster ada = cluster("ada");
    try {
      CompletableFuture<List<String>> query =
          ServedFixture.begin(
              () ->
                  ServedFixture.source(ada)
                      .inject("secret")
                      .repeat(__.identity())
                      .until(__.is("never"))
                      .toList());
      Pattern row =
          Pattern.compile(
              " +(\\d+) running +\\d+ +\\d+ +\\S+  g +ada +\\S+"
                  + " +g\\.inject\\(String\\)\\.repeat.*");
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      String list = queries("root", "--list");
      Matcher found = row.matcher(list);
      while (!found.find()) {
        assertTrue(System.nanoTime() < end, list);
        list = queries("root", "--list");
        found = row.matcher(list);
      }
      String others = queries("bob", "--list");
      assertTrue(others.startsWith("0 ") && !row.matcher(others).find(), others);
      String refused = queries("bob", "--kill", found.group(1));
      assertTrue(refused.startsWith("1 ") && refused.contains("may only read"), refused);
      assertEquals(
          "0 ended query " + found.group(1), queries("root", "--kill", found.group(1)).strip());
      ExecutionException failure = assertThrows(ExecutionException.class, query::get);
      assertTrue(
          failure.getMessage().contains("the query was ended by its user or an administrator"),
          failure::getMessage);
      String again = queries("root", "--kill", found.group(1));
      assertTrue(again.startsWith("1 ") && again.contains("there is no such query"), again);
    } finally {
      ada.close();
    }
  }

  @Test
  void aNewCertificateTakesEffectAndABadOneDoesNot() throws Exception {
    Path second = Keystores.make(directory.resolve("second.p12"), "-validity", "3");
    Cluster root = cluster("root");
    Cluster ada = cluster("ada");
    try {
      GraphTraversalSource g = ServedFixture.source(ada);
      assertEquals(1, g.inject(1).next());
      GraphTraversalSource admin = ServedFixture.source(root);
      assertEquals(0, admin.inject(0).next(), "connected while its trusted certificate holds");
      Certificate before = certificate();
      assertEquals(Keystores.certificate(first), before);

      Files.copy(second, keystore, StandardCopyOption.REPLACE_EXISTING);
      await(() -> !certificate().equals(before));
      Certificate after = certificate();
      assertEquals(Keystores.certificate(second), after);
      assertEquals(2, g.inject(2).next(), "an open connection goes on");

      Files.writeString(keystore, "no keystore");
      await(() -> metric("bg3_server_tls_reloads_total{outcome=\"error\"}") >= 1);
      assertEquals(after, certificate());
      assertTrue(
          server.output().contains("the server keeps the earlier TLS certificate"), server::output);
      assertEquals(1, metric("bg3_server_tls_reloads_total{outcome=\"success\"}"));
      assertTrue(metric("bg3_server_tls_expiry_seconds") > System.currentTimeMillis() / 1_000.0);

      RuntimeException bad =
          assertThrows(RuntimeException.class, () -> admin.call("bg3.tls.reload").next());
      assertTrue(bad.getMessage().contains("not a PKCS12 keystore"), bad::getMessage);
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> g.call("bg3.tls.reload").next());
      assertTrue(refused.getMessage().contains("users with the role admin"), refused::getMessage);

      Files.copy(first, keystore, StandardCopyOption.REPLACE_EXISTING);
      Object until = admin.call("bg3.tls.reload").next();
      assertTrue(Instant.parse(until.toString()).isAfter(Instant.now()), until::toString);
      assertEquals(before, certificate());
      assertEquals(3, g.inject(3).next());
    } finally {
      root.close();
      ada.close();
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < end, server::output);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** The certificate that the server shows to a client that begins now. */
  private static Certificate certificate() throws Exception {
    TrustManager all = InsecureTrustManagerFactory.INSTANCE.getTrustManagers()[0];
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {all}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  private static double metric(String name) throws Exception {
    String all =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics"))
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    return all.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + all));
  }
}
