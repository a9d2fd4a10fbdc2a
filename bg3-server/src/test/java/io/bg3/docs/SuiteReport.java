package io.bg3.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Surefire's report of one test class: how many tests there were, and which were skipped for which
 * reason.
 *
 * @param tests how many there were, those that failed or were skipped among them
 * @param failed how many failed
 * @param skipped the names of the tests that were skipped, by what was said about it, both sorted
 */
record SuiteReport(int tests, int failed, Map<String, List<String>> skipped) {
  /** How many tests were skipped. */
  int skippedCount() {
    return skipped.values().stream().mapToInt(List::size).sum();
  }

  /** Reads a report; null if there is none. */
  static SuiteReport read(Path file) throws IOException, XMLStreamException {
    if (!Files.exists(file)) {
      return null;
    }
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    int tests = 0;
    int failed = 0;
    Map<String, List<String>> skipped = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      String name = "";
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        switch (xml.getLocalName()) {
          case "testcase" -> {
            tests++;
            name =
                name(xml.getAttributeValue(null, "classname"), xml.getAttributeValue(null, "name"));
          }
          case "failure", "error" -> failed++;
          case "skipped" -> {
            String message = xml.getAttributeValue(null, "message");
            String said = said(message == null ? xml.getElementText() : message);
            skipped.computeIfAbsent(said, s -> new ArrayList<>()).add(name);
          }
          default -> {}
        }
      }
    }
    skipped.values().forEach(names -> names.sort(null));
    return new SuiteReport(tests, failed, skipped);
  }

  /** A test's name without what changes from run to run or is the same for all. */
  private static String name(String type, String method) {
    String shortType = type.substring(type.lastIndexOf('.') + 1);
    String plain = method.replaceAll("\\[(supports\\w+)\\(.*", "[$1]");
    if (shortType.startsWith("Gherkin")) { // a scenario, some with their feature behind them
      return plain.replaceFirst("\\(.*", "");
    }
    return shortType + "." + plain;
  }

  /** The first line of what was said, without the exception's name. */
  private static String said(String text) {
    return text.strip()
        .lines()
        .findFirst()
        .orElse("")
        .replaceFirst("^[\\w.$]*Exception: ", "")
        .strip();
  }
}
