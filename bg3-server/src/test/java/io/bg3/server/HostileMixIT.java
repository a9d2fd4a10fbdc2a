package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bg3.server.access.Role;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.User;
import io.bg3.server.access.UsersFile;
import io.bg3.server.hostile.AttackProcess;
import io.bg3.server.hostile.Attackers;
import io.bg3.server.hostile.Honest;
import io.bg3.server.hostile.HostileServer;
import io.bg3.server.hostile.JavaHonest;
import io.bg3.server.hostile.Ledger;
import io.bg3.server.hostile.Newcomers;
import io.bg3.server.hostile.Target;
import io.bg3.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Classes of attack, all at once, against the distribution with 512 MiB of heap on two processors,
 * while honest clients in Java, Python and JavaScript read and write: without users, and with users
 * where the attackers are strangers, readers and guessers of passwords.
 *
 * <p>Afterwards the process lives. Honest clients have waited less than a second in the median and
 * less than five seconds in 99 of 100 requests, by language; newcomers have logged in within ten
 * seconds. Every acknowledged write is there and no refused one is; nothing is there that a reader,
 * or a transaction that nobody committed, has tried to write. An honest client may be told "too
 * many requests" (429) now and then, and nothing else. Within 30 seconds of the end, threads,
 * connections, live objects of the heap and growth of the log are back where they were before. The
 * resident memory is bounded at all times and not compared: a virtual machine keeps the pages of
 * its heap, whatever is in them. Where a pause of the machine may be why clients have waited, all
 * is tried again, up to three times with new servers; a wrong answer or a lost write is a failure
 * at once.
 *
 * <p>The attackers share the processors with the server, so they run in one thread of a process of
 * low priority, and honest clients at the priority of the server. Each class comes from an address
 * of its own, 127.0.0.2 and following, and honest clients from 127.0.0.1; {@code
 * -Dbg3.torture.hostile.address=shared} lets all come from one.
 *
 * <p>{@code -Dbg3.torture.hostile.seconds=N} makes it longer, {@code
 * -Dbg3.torture.hostile.only=A,B} runs some classes of attack alone; {@code -Dbg3.seed=N} repeats
 * what the attackers send. Python and JavaScript take part where {@code .ci/drivers} has installed
 * their drivers.
 */
class HostileMixIT {
  private static final int SECONDS = Integer.getInteger("bg3.torture.hostile.seconds", 20);

  private static final String ONLY = System.getProperty("bg3.torture.hostile.only", "all");
  private static final boolean ONE_ADDRESS =
      System.getProperty("bg3.torture.hostile.address", "apart").equals("shared");

  private static final long MEDIAN_MICROS = 1_000_000;
  private static final long NINETY_NINE_MICROS = 5_000_000;
  private static final long LOGIN_MILLIS = 10_000;
  private static final double MOST_REFUSED = 0.01; // of the requests of an honest client
  private static final int LEAST_REQUESTS =
      Math.min(50, 4 * SECONDS); // of each language, or the figures say nothing

  private static final long SETTLED_SECONDS = 30;
  private static final long MORE_THREADS = 12; // of the virtual machine itself
  private static final long MORE_CONNECTIONS = 2; // a newcomer
  private static final long MORE_LIVE_BYTES = 64L << 20;
  private static final long LOG_BYTES_A_SECOND = 2_000;
  private static final long RESIDENT_BYTES = 1_500L << 20; // heap, direct memory, code, stacks

  private static final int LINE_CHARACTERS = 600; // 500, and the time and the level before them
  private static final long LOG_BYTES_A_SECOND_ATTACKED = 100_000;
  private static final String FORGED = "2001-01-01T00:00:00.000Z ERROR Forged";

  private static final int PEOPLE = 100;
  private static final int ATTEMPTS = 3;
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  private final long seed = Seeds.one();
  private final Map<String, Ledger> ledgers = new LinkedHashMap<>();
  private final List<Honest> programs = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> delays = new ArrayList<>(); // problems that a paused machine has too
  private final List<String> report = new ArrayList<>();

  @TempDir private Path attempts;

  private Path directory; // of this attempt
  private HostileServer server;
  private JavaHonest java;
  private long fromMillis; // of the attack, since 1970
  private long toMillis;

  /** The names of the classes of attack that take part. */
  private static String classes() {
    return Attackers.names().stream()
        .filter(name -> ONLY.equals("all") || List.of(ONLY.split(",", -1)).contains(name))
        .sorted()
        .collect(Collectors.joining(","));
  }

  /** The figures that the test compares before and after. */
  private record Figures(
      long threads, long connections, long liveBytes, long residentBytes, long logBytesASecond) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "threads %d, connections %d, live heap %d MiB, resident %d MiB, log %,d bytes/s",
          threads,
          connections,
          liveBytes >> 20,
          residentBytes >> 20,
          logBytesASecond);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyStopsTheServerOrSlowsTheOthers(boolean users) throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "figures of a process come from /proc");
    for (int attempt = 1; attempt == 1 || !delays.isEmpty(); attempt++) {
      forget();
      directory = Files.createDirectory(attempts.resolve("attempt-" + attempt));
      attackOnce(users);
      assertEquals(List.of(), problems, "-Dbg3.seed=" + seed);
      assertTrue(attempt < ATTEMPTS || delays.isEmpty(), () -> delays + ", -Dbg3.seed=" + seed);
    }
  }

  private void forget() {
    ledgers.clear();
    programs.clear();
    problems.clear();
    delays.clear();
    report.clear();
  }

  private void attackOnce(boolean users) throws Exception {
    try {
      start(users);
      loadPeople();
      try (AttackProcess attackers =
          new AttackProcess(server.target(), seed, SECONDS, ONE_ADDRESS, classes())) {
        startHonest();
        attackers.awaitReady();
        awaitWarm();
        Figures before = figures();
        attack(attackers);
        settle(before);
      }
      stopHonest();
      if (server.isAlive()) {
        compareWithTheGraph();
      }
      checkLog();
      if (!delays.isEmpty()) {
        report.add("slow, or the machine paused: " + delays);
      }
      if (!problems.isEmpty()) {
        report.add("the end of the log:\n" + lastLines());
      }
    } finally {
      System.out.println(String.join("\n", report));
      end();
    }
  }

  private void start(boolean users) throws Exception {
    Path file = users ? users(directory.resolve("users")) : null;
    server =
        new HostileServer(
            directory,
            ServedFixture.freePort(),
            ServedFixture.freePort(),
            file,
            List.of("server.audit.file=" + directory.resolve("audit.log")));
    report.add(
        "hostile mix: seconds="
            + SECONDS
            + ", users="
            + users
            + ", addresses="
            + (ONE_ADDRESS ? "shared" : "apart")
            + ", processors="
            + Runtime.getRuntime().availableProcessors()
            + ", -Dbg3.seed="
            + seed);
  }

  /** The passwords of attackers are checked quickly, so that they are let in to attack. */
  private static Path users(Path file) throws Exception {
    UsersFile users = new UsersFile(file);
    users.put(user(Target.WRITER, Role.WRITER));
    users.put(user(Target.READER, Role.READER));
    for (String name : Target.READERS) {
      users.put(TestUsers.user(name, Role.READER));
    }
    return file;
  }

  private static User user(String name, Role role) {
    return User.of(name, role, Target.password(name).toCharArray());
  }

  private void loadPeople() {
    Cluster cluster = JavaHonest.cluster(server.target(), Target.WRITER);
    try {
      GraphTraversalSource g = JavaHonest.source(cluster);
      for (int i = 0; i < PEOPLE; i++) {
        g.addV("person").property("n", i).iterate();
      }
      List<Object> ids = g.V().hasLabel("person").id().toList();
      for (int i = 0; i < PEOPLE; i++) {
        for (int j = 1; j <= 3; j++) {
          g.V(ids.get(i)).addE("knows").to(__.V(ids.get((i * 7 + j * 31) % PEOPLE))).iterate();
        }
      }
    } finally {
      cluster.close();
    }
  }

  private void startHonest() throws Exception {
    java = new JavaHonest(server.target());
    ledgers.put("java", java.ledger());
    Path drivers = ROOT.resolve("target/drivers");
    Path sources = ROOT.resolve("bg3-server/src/test/drivers/hostile");
    if (isInstalled("python")) {
      launch("python", drivers.resolve("python/venv/bin/python"), sources.resolve("honest.py"), "");
    }
    if (isInstalled("javascript")) {
      launch(
          "javascript",
          Path.of("node"),
          sources.resolve("honest.js"),
          drivers.resolve("javascript/node_modules").toString());
    }
  }

  private boolean isInstalled(String language) {
    boolean there = Files.exists(ROOT.resolve("target/drivers").resolve(language).resolve("ready"));
    if (!there) {
      report.add("left out: no driver for " + language + "; .ci/drivers installs it");
    }
    return there;
  }

  private void launch(String language, Path runner, Path program, String modules) throws Exception {
    boolean users = server.target().users();
    ProcessBuilder builder =
        new ProcessBuilder(
            runner.toString(),
            program.toString(),
            "ws://127.0.0.1:" + server.target().port() + "/gremlin",
            users ? Target.READER : "-",
            users ? Target.WRITER : "-",
            Target.password(""));
    builder.environment().put("NODE_PATH", modules);
    Honest honest = new Honest(builder, directory.resolve(language + ".err"));
    programs.add(honest);
    ledgers.put(language, honest.ledger());
  }

  /** Waits until each language has had answers for a while, so that all code is loaded. */
  private void awaitWarm() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (ledgers.values().stream().anyMatch(ledger -> ledger.count() < LEAST_REQUESTS)) {
      assertTrue(System.nanoTime() < end, () -> "honest clients get no answers: " + ledgers);
      Thread.sleep(100);
    }
  }

  private void attack(AttackProcess attackers) throws Exception {
    Newcomers newcomers = new Newcomers(server.target());
    Thread coming =
        new Thread(
            () -> newcomers.run(TimeUnit.SECONDS.toMillis(SECONDS) + LOGIN_MILLIS), "newcomers");
    long log = server.logBytes();
    fromMillis = System.currentTimeMillis();
    attackers.go();
    coming.start();
    long mostResident = 0;
    long mostThreads = 0;
    long mostConnections = 0;
    while (attackers.isAttacking() && server.isAlive()) {
      mostResident = Math.max(mostResident, server.residentBytes());
      mostThreads = Math.max(mostThreads, server.threads());
      mostConnections = Math.max(mostConnections, server.connections());
      Thread.sleep(500);
    }
    toMillis = System.currentTimeMillis();
    problem(!server.isAlive(), "the process has ended");
    long logged = (server.logBytes() - log) / Math.max(1, SECONDS);
    report.add(String.format(Locale.ROOT, "%-24s %10s  %s", "attack", "attempts", "answers"));
    report.addAll(attackers.table());
    problems.addAll(attackers.problems());
    delays.addAll(attackers.idle());
    problem(
        attackers.table().stream().anyMatch(line -> line.contains("let in")),
        "a guess at a password was let in");
    report.add(
        String.format(
            Locale.ROOT,
            "under attack: at most %d threads, %d connections, %d MiB resident; log %,d bytes/s",
            mostThreads,
            mostConnections,
            mostResident >> 20,
            logged));
    problem(mostResident > RESIDENT_BYTES, "resident memory: MiB=" + (mostResident >> 20));
    problem(logged > LOG_BYTES_A_SECOND_ATTACKED, "the log is flooded: bytes a second=" + logged);
    coming.join();
    newcomers(newcomers);
  }

  private String lastLines() throws Exception {
    List<String> lines = server.logLines();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }

  /** Of the requests that began under attack; the last of them may have ended long behind it. */
  private void latencies() {
    report.add(
        String.format(
            Locale.ROOT,
            "%-12s %9s %9s %9s %9s",
            "honest",
            "requests",
            "p50 ms",
            "p99 ms",
            "max ms"));
    ledgers.forEach(
        (language, ledger) -> {
          long[] micros = ledger.micros(fromMillis, toMillis);
          long median = Ledger.percentile(micros, 0.5);
          long ninetyNine = Ledger.percentile(micros, 0.99);
          report.add(
              String.format(
                  Locale.ROOT,
                  "%-12s %,9d %9.1f %9.1f %9.1f",
                  language,
                  micros.length,
                  median / 1e3,
                  ninetyNine / 1e3,
                  Ledger.percentile(micros, 1) / 1e3));
          report.add("  slowest: " + ledger.slowest(fromMillis, toMillis));
          delay(micros.length < LEAST_REQUESTS, language + ": requests=" + micros.length);
          delay(median >= MEDIAN_MICROS, language + ": p50 in us=" + median);
          delay(ninetyNine >= NINETY_NINE_MICROS, language + ": p99 in us=" + ninetyNine);
        });
  }

  private void newcomers(Newcomers newcomers) {
    long[] millis = newcomers.millis();
    report.add(
        String.format(
            Locale.ROOT,
            "%-12s %,9d %9d %9d %9d  turned away %d times",
            "newcomers",
            millis.length,
            Ledger.percentile(millis, 0.5),
            Ledger.percentile(millis, 0.99),
            Ledger.percentile(millis, 1),
            newcomers.refusals()));
    delay(millis.length == 0, "no newcomer was let in: " + newcomers);
    delay(Ledger.percentile(millis, 1) > LOGIN_MILLIS, "a newcomer waited: " + newcomers);
  }

  /** Waits until the figures are those from before, honest clients being served all the time. */
  private void settle(Figures before) throws Exception {
    long since = System.nanoTime();
    long end = since + TimeUnit.SECONDS.toNanos(SETTLED_SECONDS);
    Figures now = figures();
    while (server.isAlive() && !isSettled(before, now) && System.nanoTime() < end) {
      now = figures();
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
    report.add("before:  " + before);
    report.add("after:   " + now + ", " + seconds + " s behind the end");
    if (!isSettled(before, now)) {
      delay(true, "not back in " + SETTLED_SECONDS + " s: before=" + before + ", now=" + now);
      report.add(server.isAlive() ? server.threadDump() : "the process has ended");
    }
  }

  private static boolean isSettled(Figures before, Figures now) {
    return now.threads() <= before.threads() + MORE_THREADS
        && now.connections() <= before.connections() + MORE_CONNECTIONS
        && now.liveBytes() <= before.liveBytes() + MORE_LIVE_BYTES
        && now.logBytesASecond() <= before.logBytesASecond() + LOG_BYTES_A_SECOND;
  }

  private Figures figures() throws Exception {
    long log = server.logBytes();
    Thread.sleep(1_000);
    long logged = server.logBytes() - log;
    return new Figures(
        server.threads(),
        server.connections(),
        server.isAlive() ? server.liveBytes() : 0,
        server.residentBytes(),
        logged);
  }

  private void stopHonest() throws Exception {
    java.stop();
    for (Honest program : programs) {
      program.stop();
    }
    latencies();
    ledgers.forEach(
        (language, ledger) -> {
          Map<String, Long> failures = ledger.failures();
          report.add(language + ": requests=" + ledger.count() + ", not done=" + failures);
          long refused =
              failures.getOrDefault("read 429", 0L) + failures.getOrDefault("write 429", 0L);
          long all = failures.values().stream().mapToLong(Long::longValue).sum();
          problem(all > refused, language + ": honest clients got errors: " + failures);
          delay(refused > MOST_REFUSED * ledger.count(), language + ": refused: " + failures);
        });
  }

  private void compareWithTheGraph() {
    Cluster cluster = JavaHonest.cluster(server.target(), Target.WRITER);
    try {
      GraphTraversalSource g = JavaHonest.source(cluster);
      ledgers.forEach(
          (language, ledger) ->
              problems.addAll(
                  ledger.compare(
                      language,
                      g.V().hasLabel("honest").has("by", language).values("i").toList())));
      problem(g.V().hasLabel(Target.MARK).hasNext(), "a vertex of an attacker is there");
      problem(g.V().has(Target.MARK).hasNext(), "a property of an attacker is there");
      problem(g.E().hasLabel(Target.MARK).hasNext(), "an edge of an attacker is there");
      long people = g.V().hasLabel("person").count().next();
      problem(people != PEOPLE, "vertices were dropped: left=" + people);
    } finally {
      cluster.close();
    }
  }

  private void checkLog() throws Exception {
    List<String> lines = server.logLines();
    lines.stream()
        .filter(line -> line.length() > LINE_CHARACTERS)
        .findFirst()
        .ifPresent(line -> problem(true, "a long line in the log: " + line));
    checkForged(lines);
    Path audit = directory.resolve("audit.log");
    if (Files.exists(audit)) {
      checkForged(HostileServer.lines(audit));
    }
  }

  /** No line begins as a forged one does, and none holds what moves a terminal or breaks a line. */
  private void checkForged(List<String> lines) {
    lines.stream()
        .filter(line -> line.startsWith(FORGED) || line.chars().anyMatch(HostileMixIT::isControl))
        .findFirst()
        .ifPresent(line -> problem(true, "a client has written a line of a log: " + line));
  }

  private static boolean isControl(int character) {
    return (Character.isISOControl(character) && character != '\t')
        || character == '\u2028'
        || character == '\u2029';
  }

  private void problem(boolean found, String what) {
    if (found) {
      problems.add(what);
    }
  }

  private void delay(boolean found, String what) {
    if (found) {
      delays.add(what);
    }
  }

  private void end() throws Exception {
    if (java != null) {
      java.close();
      java = null;
    }
    for (Honest program : programs) {
      program.close();
    }
    if (server != null) {
      server.close();
      server = null;
    }
  }
}
