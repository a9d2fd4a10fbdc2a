package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.source.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/correctness.md to the sources: every class, test and twin that it names exists, every
 * twin of a rule test is listed under its rule, and every rule that the engine or another page
 * cites has a section.
 */
class CorrectnessPageTest {
  private static final Path PAGE = Path.of("docs/correctness.md");
  private static final Pattern SECTION = Pattern.compile("^### R(\\d+)\\. ");
  private static final Pattern ROW =
      Pattern.compile("^\\| `(\\w+)` \\| `(\\w+)\\.(\\w+)` \\| (.*) \\|$");
  private static final Pattern CITED = Pattern.compile("\\bR(\\d+)\\b");
  private static final Pattern RULE_TEST =
      Pattern.compile(
          "@RuleTest\\(\\s*rule = (\\d+),(.*?)\\n  (?:private )?void (\\w+)\\(", Pattern.DOTALL);
  private static final Pattern TWIN =
      Pattern.compile("@Twin\\(\\s*name = \"([^\"]*)\",\\s*in = \"([^\"]*)\"");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  /** A line of a table: which class keeps the rule, and which test finds which fault. */
  private record Row(int rule, String keeper, String test, String method, String twin) {}

  @Test
  void everyRuleHasOneSectionAndTheyAscend() {
    List<Integer> rules = rules();
    assertEquals(rules.stream().sorted().distinct().toList(), rules);
    assertTrue(rules.size() >= 28, "rules: " + rules);
  }

  private static List<Integer> rules() {
    return Sources.lines(PAGE).stream()
        .map(SECTION::matcher)
        .filter(Matcher::find)
        .map(section -> Integer.valueOf(section.group(1)))
        .toList();
  }

  @Test
  void everyClassTestAndTwinExists() {
    List<String> missing = new ArrayList<>();
    List<Row> rows = rows();
    for (Row row : rows) {
      if (file("main", row.keeper()) == null) {
        missing.add("class " + row);
      }
      Path test = file("test", row.test());
      String text = test == null ? "" : JOINED.matcher(Sources.text(test)).replaceAll("");
      if (!text.contains(" " + row.method() + "(")) {
        missing.add("test " + row);
      }
      if (!isThere(row.twin(), text)) {
        missing.add("twin " + row);
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(rows.size() > 60, "rows: " + rows.size());
  }

  /** A twin is the text of a rule test's, or a name in the test, or in another class of tests. */
  private static boolean isThere(String twin, String test) {
    if (!twin.startsWith("`")) {
      return test.contains("name = \"" + twin + "\"");
    }
    String name = twin.replace("`", "");
    int dot = name.indexOf('.');
    if (dot < 0) {
      return test.contains(name);
    }
    Path other = file("test", name.substring(0, dot));
    return other != null && Sources.text(other).contains(name.substring(dot + 1));
  }

  @Test
  void everyTwinOfARuleTestIsOnThePage() {
    Set<Row> there = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    for (Path file : Sources.java("test")) {
      if (file.toString().endsWith("RulesTest.java")) {
        String text = JOINED.matcher(Sources.text(file)).replaceAll("");
        Matcher test = RULE_TEST.matcher(text);
        while (test.find()) {
          Matcher twin = TWIN.matcher(test.group(2));
          while (twin.find()) {
            String keeper = twin.group(2).replaceAll(".*\\.|\\$.*", "");
            there.add(
                new Row(
                    Integer.parseInt(test.group(1)),
                    keeper,
                    simpleName(file),
                    test.group(3),
                    twin.group(1)));
          }
        }
      }
    }
    there.removeAll(rows());
    assertEquals(Set.of(), there);
  }

  @Test
  void everyRuleThatTheEngineOrAPageCitesHasASection() {
    Set<Integer> rules = Set.copyOf(rules());
    Set<Integer> cited = new TreeSet<>();
    List<String> lost = new ArrayList<>();
    for (Path file : Sources.texts()) {
      if (file.toString().matches("bg3-core/src/main/.*|docs/\\w+\\.md")) {
        Matcher rule = CITED.matcher(Sources.text(file));
        while (rule.find()) {
          int number = Integer.parseInt(rule.group(1));
          cited.add(number);
          if (!rules.contains(number)) {
            lost.add(file + ": " + rule.group());
          }
        }
      }
    }
    assertEquals(List.of(), lost);
    assertTrue(cited.size() > 10, "cited: " + cited);
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    int rule = 0;
    for (String line : Sources.lines(PAGE)) {
      Matcher section = SECTION.matcher(line);
      if (section.find()) {
        rule = Integer.parseInt(section.group(1));
      }
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(new Row(rule, row.group(1), row.group(2), row.group(3), row.group(4)));
      }
    }
    return rows;
  }

  /** The file of a class of the engine, or null. */
  private static Path file(String kind, String name) {
    List<Path> files =
        Sources.java(kind).stream()
            .filter(file -> simpleName(file).equals(name))
            .collect(Collectors.toList());
    return files.isEmpty() ? null : files.get(0);
  }

  private static String simpleName(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".java".length());
  }
}
