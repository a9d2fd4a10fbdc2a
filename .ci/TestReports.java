import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;

/**
 * Counts what Surefire and Failsafe say they ran below the directory that is given, names the tests that failed, and fails
 * when tests failed, more were flaky than may be, or fewer of TinkerPop's suites ran than have to. A flaky test failed and passed
 * when it was run once more; it counts as passed. A test that was skipped did not run.
 *
 * <p>The last line it prints is {@code N passed, N failed, N skipped}. Run as a single source file: {@code java
 * TestReports.java DIRECTORY MINIMUM-STRUCTURE MINIMUM-PROCESS MINIMUM-SCENARIOS GHERKIN-CLASS...}; the minimum of scenarios is
 * asked of each of the Gherkin classes.
 */
final class TestReports {
  private static final int MOST_FLAKY = 3;

  private record Suite(
      String name,
      int passed,
      int skipped,
      int structure,
      int process,
      List<String> failures,
      List<String> flaky) {
    int failed() {
      return failures.size();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    int leastStructure = Integer.parseInt(arguments[1]);
    int leastProcess = Integer.parseInt(arguments[2]);
    int leastScenarios = Integer.parseInt(arguments[3]);
    List<Suite> suites = new ArrayList<>();
    for (Path file : reports(root)) {
      suites.add(read(file));
    }
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    int flaky = 0;
    Suite structure = new Suite("none", 0, 0, 0, 0, List.of(), List.of());
    Suite process = structure;
    for (Suite suite : suites) {
      passed += suite.passed;
      failed += suite.failed();
      skipped += suite.skipped;
      flaky += suite.flaky.size();
      structure = suite.structure > structure.structure ? suite : structure;
      process = suite.process > process.process ? suite : process;
      suite.failures.forEach(failure -> System.out.println("failed: " + failure));
      suite.flaky.forEach(failure -> System.out.println("flaky: " + failure));
    }
    System.out.println("reports read: " + suites.size());
    boolean enough =
        isEnough("structure", structure.name, structure.structure, leastStructure)
            & isEnough("process", process.name, process.process, leastProcess);
    for (String run : List.of(arguments).subList(4, arguments.length)) {
      int ran =
          suites.stream()
              .filter(suite -> suite.name.equals(run))
              .mapToInt(suite -> suite.passed + suite.failed())
              .sum();
      enough &= isEnough("Gherkin", run, ran, leastScenarios);
    }
    System.out.println("flaky tests: " + flaky + " (at most " + MOST_FLAKY + " may be)");
    System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
    System.exit(failed == 0 && flaky <= MOST_FLAKY && passed > 0 && enough ? 0 : 1);
  }

  private static boolean isEnough(String kind, String where, int ran, int least) {
    System.out.println(
        "TinkerPop " + kind + " suite: ran " + ran + " (at least " + least + " have to), in " + where);
    return ran >= least;
  }

  private static List<Path> reports(Path root) throws Exception {
    try (Stream<Path> files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      return files
          .filter(file -> file.toString().matches(".*/target/(surefire|failsafe)-reports/TEST-.*\\.xml"))
          .sorted()
          .toList();
    }
  }

  private static Suite read(Path file) throws Exception {
    String name = file.getFileName().toString().replaceAll("^TEST-|\\.xml$", "");
    int passed = 0;
    int skipped = 0;
    int structure = 0;
    int process = 0;
    List<String> failures = new ArrayList<>();
    List<String> flaky = new ArrayList<>();
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      String type = "";
      String test = "";
      char outcome = 'p';
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testcase" -> {
              type = String.valueOf(xml.getAttributeValue(null, "classname"));
              test = xml.getAttributeValue(null, "name");
              outcome = 'p';
            }
            case "skipped" -> outcome = 's';
            case "failure", "error" -> {
              outcome = 'f';
              failures.add(name + "." + test + ": " + inShort(xml.getElementText()));
            }
            case "flakyFailure", "flakyError" -> flaky.add(name + "." + test + ": " + stackTrace(xml));
            default -> {}
          }
        } else if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("testcase")) {
          passed += outcome == 'p' ? 1 : 0;
          skipped += outcome == 's' ? 1 : 0;
          if (outcome != 's') {
            structure += type.matches("org\\.apache\\.tinkerpop\\.gremlin\\.(structure|algorithm)\\..*") ? 1 : 0;
            process += type.startsWith("org.apache.tinkerpop.gremlin.process.") ? 1 : 0;
          }
        }
      }
    }
    return new Suite(name, passed, skipped, structure, process, failures, flaky);
  }

  /** Reads the stack trace within the element of a failure, and the element to its end. */
  private static String stackTrace(XMLStreamReader xml) throws Exception {
    String element = xml.getLocalName();
    String trace = "";
    while (!(xml.next() == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals(element))) {
      if (xml.isStartElement() && xml.getLocalName().equals("stackTrace")) {
        trace = xml.getElementText();
      }
    }
    return inShort(trace);
  }

  /** The first line of a stack trace and the first lines of it that stand in BG3's code, in one line. */
  private static String inShort(String trace) {
    List<String> lines = trace.strip().lines().map(String::strip).toList();
    Stream<String> own = lines.stream().skip(1).filter(line -> line.startsWith("at io.bg3.")).limit(4);
    String first = lines.isEmpty() ? "" : lines.get(0);
    return Stream.concat(Stream.of(first.substring(0, Math.min(first.length(), 400))), own)
        .collect(Collectors.joining(" "));
  }
}
