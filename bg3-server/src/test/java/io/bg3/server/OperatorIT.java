package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.Keystores;
import io.bg3.server.access.Role;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.UsersFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator does with a server as it is shipped: one process of {@code bin/bg3} with users
 * and TLS, and the command line beside it.
 *
 * <p>Takes about 15 s, most of it starts of the JVM. It has no longer form.
 */
class OperatorIT {
  @TempDir private static Path directory;
  private static Path keystore;
  private static int port;
  private static Launched server;

  @BeforeAll
  static void start() throws Exception {
    keystore = Keystores.make(directory.resolve("server.p12"), "-validity", "2");
    UsersFile users = TestUsers.write(directory.resolve("users"));
    users.put(TestUsers.user("root", Role.ADMIN));
    port = ServedFixture.freePort();
    Path config = directory.resolve("bg3.properties");
    Files.write(
        config,
        List.of(
            "server.port=" + port,
            "server.handshake.timeout=120000",
            "server.evaluation.timeout=600000",
            "server.users=" + users.path(),
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
        .trustStore(keystore.toString())
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
                keystore.toString()));
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
          CompletableFuture.supplyAsync(
              () ->
                  ServedFixture.source(ada)
                      .inject("secret")
                      .repeat(__.identity())
                      .until(__.is("never"))
                      .toList(),
              task -> new Thread(task, "query of a test").start());
      Pattern row =
          Pattern.compile(
              " +(\\d+) running +\\d+ +\\d+ +\\S+  ada +\\S+ +g\\.inject\\(String\\)\\.repeat.*");
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
}
