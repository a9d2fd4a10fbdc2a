import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
 * <p>A failure is named with its module and plugin. An engine of JUnit that ends, as it does when its JVM has no heap left,
 * writes one report in place of those of all classes that it has not run: then the classes of the module are named that have
 * none. Of a JVM that has ended while it ran a class, Failsafe's summary says which class that was.
 *
 * <p>The last line it prints is {@code N passed, N failed, N skipped}. Run as a single source file: {@code java
 * TestReports.java DIRECTORY MINIMUM-STRUCTURE MINIMUM-PROCESS CLASS=MINIMUM...}; the classes are those that run TinkerPop's
 * scenarios and the suites of its graph computer.
 */
final class TestReports {
  private static final int MOST_FLAKY = 3;

  private record Suite(
      Path file,
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

    /** Whether it is the report of an engine, and not of a class. */
    boolean isOfEngine() {
      return failed() > 0 && !name.contains(".");
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    int leastStructure = Integer.parseInt(arguments[1]);
    int leastProcess = Integer.parseInt(arguments[2]);
    List<Suite> suites = new ArrayList<>();
    for (Path file : reports(root, "TEST-.*\\.xml")) {
      suites.add(read(file));
    }
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    int flaky = 0;
    Suite structure = new Suite(Path.of(""), "none", 0, 0, 0, 0, List.of(), List.of());
    Suite process = structure;
    for (Suite suite : suites) {
      passed += suite.passed;
      failed += suite.failed();
      skipped += suite.skipped;
      flaky += suite.flaky.size();
      structure = suite.structure > structure.structure ? suite : structure;
      process = suite.process > process.process ? suite : process;
      String where = module(suite.file).getFileName() + " " + plugin(suite.file) + ": ";
      suite.failures.forEach(failure -> System.out.println("failed: " + where + failure));
      suite.flaky.forEach(failure -> System.out.println("flaky: " + where + failure));
      if (suite.isOfEngine()) {
        System.out.println("failed: " + where + "classes without a report: " + withoutReport(suite, suites));
      }
    }
    for (Path file : reports(root, "failsafe-summary\\.xml")) {
      String crash = crash(file);
      failed += crash.isEmpty() ? 0 : 1;
      System.out.print(crash.isEmpty() ? "" : "failed: " + module(file).getFileName() + " failsafe: " + crash + "\n");
    }
    System.out.println("reports read: " + suites.size());
    boolean enough =
        isEnough("structure", structure.name, structure.structure, leastStructure)
            & isEnough("process", process.name, process.process, leastProcess);
    for (String wanted : List.of(arguments).subList(3, arguments.length)) {
      String name = wanted.replaceAll("=.*", "");
      int ran =
          suites.stream()
              .filter(suite -> suite.name.equals(name))
              .mapToInt(suite -> suite.passed + suite.failed())
              .sum();
      enough &= isEnough("named", name, ran, Integer.parseInt(wanted.replaceAll(".*=", "")));
    }
    System.out.println("flaky tests: " + flaky + " (at most " + MOST_FLAKY + " may be)");
    System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
    System.exit(failed == 0 && flaky <= MOST_FLAKY && passed > 0 && enough ? 0 : 1);
  }

  private static Path module(Path report) {
    return report.toAbsolutePath().normalize().getParent().getParent().getParent();
  }

  private static String plugin(Path report) {
    return report.getParent().getFileName().toString().replace("-reports", "");
  }

  /** The classes of tests that the plugin runs in the module of a report, and of which it has written none. */
  private static List<String> withoutReport(Suite engine, List<Suite> suites) throws Exception {
    Path sources = module(engine.file).resolve("src/test/java");
    String ending = plugin(engine.file).equals("failsafe") ? "IT.java" : "Test.java";
    Set<String> reported = suites.stream().map(Suite::name).collect(Collectors.toSet());
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> sources.relativize(file).toString())
          .filter(file -> file.endsWith(ending))
          .map(file -> file.replaceAll("\\.java$", "").replace('/', '.'))
          .filter(name -> !reported.contains(name))
          .sorted()
          .toList();
    }
  }

  private static boolean isEnough(String kind, String where, int ran, int least) {
    System.out.println(
        "TinkerPop " + kind + " suite: ran " + ran + " (at least " + least + " have to), in " + where);
    return ran >= least;
  }

  private static List<Path> reports(Path root, String name) throws Exception {
    try (Stream<Path> files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      return files
          .filter(file -> file.toString().matches(".*/target/(surefire|failsafe)-reports/" + name))
          .sorted()
          .toList();
    }
  }

  /** What Failsafe's summary says of JVMs that ended while they ran a class, in one line; empty if there is none. */
  private static String crash(Path summary) throws Exception {
    return Files.readString(summary)
        .lines()
        .map(String::strip)
        .dropWhile(line -> !line.startsWith("Crashed tests:"))
        .takeWhile(line -> !line.startsWith("at "))
        .distinct()
        .collect(Collectors.joining(" "));
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
    return new Suite(file, name, passed, skipped, structure, process, failures, flaky);
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

  /**
   * The first line of a stack trace, the last cause in it, and the first lines of it that stand in BG3's code, in one line.
   */
  private static String inShort(String trace) {
    List<String> lines = trace.strip().lines().map(String::strip).toList();
    Stream<String> first = lines.stream().limit(1);
    Stream<String> cause = lines.stream().filter(line -> line.startsWith("Caused by: ")).reduce((one, next) -> next).stream();
    Stream<String> own = lines.stream().skip(1).filter(line -> line.startsWith("at io.bg3.")).limit(4);
    return Stream.concat(
            Stream.concat(first, cause).map(line -> line.substring(0, Math.min(line.length(), 400))), own)
        .collect(Collectors.joining(" "));
  }
}
