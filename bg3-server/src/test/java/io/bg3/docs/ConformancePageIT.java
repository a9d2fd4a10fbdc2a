package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.bg3.server.RemoteWorld;
import io.bg3.source.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.util.Gremlin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance page says what the reports of the suites say that ran before; a suite of which
 * there is no report is taken from the page as it stands. With {@code -Dbg3.write=true} this test
 * writes the page instead of comparing.
 */
class ConformancePageIT {
  private static final String PAGE = "docs/conformance.md";
  private static final int WIDTH = 118;

  private record Suite(String name, String report, String text) {}

  private static final List<Suite> SUITES =
      List.of(
          new Suite(
              "Structure",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.StructureStandardSuiteTest.xml",
              "`StructureStandardSuite`, each test on a store in a directory"),
          new Suite(
              "Process",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.ProcessEmbeddedStandardSuiteTest.xml",
              "`ProcessEmbeddedStandardSuite`, each test on a store in a directory"),
          new Suite(
              "Gherkin",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.GherkinTest.xml",
              "the scenarios, embedded, parameters written into the query"),
          new Suite(
              "Gherkin with parameters",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.GherkinParameterTest.xml",
              "the scenarios, embedded, parameters as variables"),
          new Suite(
              "Computer process",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.ProcessEmbeddedComputerSuiteTest.xml",
              "`ProcessEmbeddedComputerSuite` on `Bg3GraphComputer`, each test on a store in a"
                  + " directory"),
          new Suite(
              "Computer Gherkin",
              "bg3-gremlin/target/surefire-reports/TEST-io.bg3.gremlin.GherkinComputerTest.xml",
              "the scenarios that TinkerPop has for graph computers, embedded, on"
                  + " `Bg3GraphComputer`"),
          new Suite(
              "Gherkin remote",
              "bg3-server/target/failsafe-reports/TEST-io.bg3.server.GherkinRemoteIT.xml",
              "the scenarios through the Java driver (GraphBinary) and servers of the"
                  + " distribution"));

  @TempDir Path directory;

  @Test
  void thePageIsWhatTheReportsSay() throws Exception {
    Path file = Sources.root().resolve(PAGE);
    String standing = Files.exists(file) ? Files.readString(file) : "";
    String rendered = render(standing);
    if (Boolean.getBoolean("bg3.write")) {
      Files.writeString(file, rendered);
    }
    assertEquals(
        rendered,
        Files.readString(file),
        PAGE + " is stale; write it with -Dbg3.write=true after the suites have run");
  }

  /** The suites run as many scenarios as the features have that the tags leave in. */
  @Test
  void theScenariosAreThoseThatRan() throws Exception {
    int run = Scenarios.read().run();
    for (Suite suite : SUITES) {
      SuiteReport report = SuiteReport.read(Sources.root().resolve(suite.report));
      if (report != null && suite.name.startsWith("Gherkin")) {
        assertEquals(run, report.tests(), suite.name);
      }
    }
  }

  @Test
  void aSkipThatNobodyHasExplainedIsNoticed() {
    assertEquals(null, SkipReason.of("some new reason"));
    assertEquals(
        "Needs `EdgeFeatures.AnyIds`, which is declared false.",
        SkipReason.of(
            "Features of the graph do not support all of the features required by this test so it"
                + " will be ignored: EdgeFeatures.AnyIds=true: got: <false>, expected: is <true>"));
  }

  private String render(String standing) throws Exception {
    Map<String, String> rows = new LinkedHashMap<>();
    Map<String, String> skips = new LinkedHashMap<>();
    for (Suite suite : SUITES) {
      SuiteReport report = SuiteReport.read(Sources.root().resolve(suite.report));
      rows.put(suite.name, report == null ? standingRow(standing, suite) : row(suite, report));
      skips.put(
          suite.name,
          report == null
              ? standingSkips(standing, suite)
              : skips(report, standingSkips(standing, suite)));
    }
    StringBuilder page = new StringBuilder("# Conformance\n\n");
    page.append(wrap("", introduction(Scenarios.read())));
    page.append("\n## Suites\n\n| suite | what runs | tests | passed | skipped | failed |\n");
    page.append("|---|---|---:|---:|---:|---:|\n");
    rows.values().forEach(page::append);
    page.append('\n').append(driverSuites());
    page.append("\n## What is declared false\n\n| feature | why |\n|---|---|\n");
    Map<String, String> features = DeclaredFeatures.declaredFalse(directory);
    assertEquals(Set.of(), DeclaredFeatures.superfluous(features), "reasons for what is not false");
    features.forEach(
        (feature, reason) -> {
          assertNotNull(reason, () -> "no reason for: feature=" + feature);
          page.append("| `").append(feature).append("` | ").append(reason).append(" |\n");
        });
    page.append("\n## What is skipped\n");
    skips.forEach((name, text) -> page.append("\n### ").append(name).append('\n').append(text));
    return page.toString();
  }

  /**
   * The suites that were run, with the counts that the features on the class path and the servers
   * have.
   */
  private static String introduction(Scenarios scenarios) {
    int remote = 0;
    for (RemoteWorld.Way way : RemoteWorld.Way.values()) {
      remote += way.scenarios();
    }
    assertEquals(scenarios.run(), remote, "scenarios of the remote run");
    return "This page is for developers who want to know what TinkerPop "
        + Gremlin.version()
        + " asks of a provider and what BG3 answers. It is generated from the test reports and"
        + " compared with them in every build. BG3 opts out of no test. It leaves out two kinds"
        + " of scenarios: null values ("
        + scenarios.leftOut("@AllowNullPropertyValues")
        + ", `NullPropertyValues`) and the order of insertion ("
        + scenarios.leftOut("@InsertionOrderingRequired")
        + ": elements come in the order of their ids). The "
        + scenarios.leftOut("@GraphComputerOnly")
        + " for graph computers alone run on the computer only. In the remote run "
        + String.format(Locale.ROOT, "%,d", RemoteWorld.Way.DISTRIBUTION.scenarios())
        + " scenarios go to servers that `bin/bg3 server` starts from the distribution. The "
        + RemoteWorld.Way.UNGUARDED.scenarios()
        + " that need operations which such a server always refuses (files, taking away strategies)"
        + " go to a plain Gremlin Server, and the "
        + RemoteWorld.Way.SERVICES.scenarios()
        + " that call TinkerGraph's services to a BG3 server with these services.";
  }

  /** The results of the suites of other languages, which a build does not run. */
  private static String driverSuites() throws IOException {
    try (InputStream text = ConformancePageIT.class.getResourceAsStream("driver-suites.md")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String row(Suite suite, SuiteReport report) {
    int passed = report.tests() - report.failed() - report.skippedCount();
    return "| "
        + suite.name
        + " | "
        + suite.text
        + " | "
        + report.tests()
        + " | "
        + passed
        + " | "
        + report.skippedCount()
        + " | "
        + report.failed()
        + " |\n";
  }

  private static String standingRow(String standing, Suite suite) {
    return standing
        .lines()
        .filter(line -> line.startsWith("| " + suite.name + " |"))
        .map(line -> line + "\n")
        .findFirst()
        .orElse("| " + suite.name + " | did not run | | | | |\n");
  }

  /**
   * The tests that were skipped, under the reason that they have. Of several features that a test
   * lacks TinkerPop names one, not always the same; the one that the page has stays.
   */
  private static String skips(SuiteReport report, String standing) {
    Map<String, String> features = SkipReason.features(standing);
    Map<String, List<String>> byReason = new TreeMap<>();
    report
        .skipped()
        .forEach(
            (said, names) -> {
              String reason = SkipReason.of(said);
              assertNotNull(reason, () -> "nobody knows why: said=" + said + ", tests=" + names);
              for (String name : names) {
                String kept = features.get(name);
                String shown = SkipReason.isOfOneKind(reason, kept) ? kept : reason;
                byReason.computeIfAbsent(shown, r -> new ArrayList<>()).add(name);
              }
            });
    StringBuilder text = new StringBuilder();
    byReason.forEach(
        (reason, names) -> {
          names.sort(null);
          text.append('\n')
              .append(wrap("- ", reason + " (" + names.size() + ")"))
              .append(wrap("  ", String.join(", ", counted(names))));
        });
    return text.toString();
  }

  /** Each name once, with how often it stands there if that is more than once. */
  private static List<String> counted(List<String> names) {
    Map<String, Integer> counts = new TreeMap<>();
    names.forEach(name -> counts.merge(name, 1, Integer::sum));
    List<String> texts = new ArrayList<>();
    counts.forEach(
        (name, count) -> texts.add("`" + name + "`" + (count > 1 ? " (" + count + " times)" : "")));
    return texts;
  }

  private static String standingSkips(String standing, Suite suite) {
    String heading = "\n### " + suite.name + "\n";
    int start = standing.indexOf(heading);
    if (start < 0) {
      return "\n- Did not run.\n";
    }
    int from = start + heading.length();
    int next = standing.indexOf("\n### ", from);
    return standing.substring(from, next < 0 ? standing.length() : next);
  }

  private static String wrap(String margin, String text) {
    StringBuilder wrapped = new StringBuilder();
    StringBuilder line = new StringBuilder(margin);
    for (String word : text.split(" ", -1)) {
      if (line.length() > margin.length() && line.length() + 1 + word.length() > WIDTH) {
        wrapped.append(line).append('\n');
        line = new StringBuilder(" ".repeat(margin.length()));
      }
      line.append(line.toString().isBlank() || line.toString().equals(margin) ? "" : " ")
          .append(word);
    }
    return wrapped.append(line).append('\n').toString();
  }
}
