package io.bg3.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in the page's words why a test was skipped, from what was said when it was. */
final class SkipReason {
  private static final List<String> KINDS = List.of("Needs `", "Says what happens without `");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private record Rule(Pattern said, Function<Matcher, String> reason) {}

  private static final List<Rule> RULES =
      List.of(
          rule(
              ".*: (\\w+Features\\.\\w+)=true: got: <false>.*",
              m -> "Needs `" + m.group(1) + "`, which is declared false."),
          rule(
              ".*: (\\w+Features\\.\\w+)=false: got: <true>.*",
              m -> "Says what happens without `" + m.group(1) + "`, which the graph has."),
          rule(
              "got: <true>, expected: is <false>",
              m ->
                  "Says that a class of values or ids is refused where the graph does not take it;"
                      + " it does."),
          rule(
              "got: <false>, expected: is <true>",
              m -> "Needs values of a class that is declared false (`SerializableValues`)."),
          rule(
              "got: \"(gryo|graphson|graphml).*",
              m -> "Is about another file format than the one it runs with."),
          rule(
              "GraphML does not support .*",
              m -> "GraphML cannot hold multi- and meta-properties."),
          rule(".*apply to TinkerGraph only.*", m -> "Asserts how TinkerGraph's own steps look."),
          rule(".* is ignored for STANDARD", m -> "Is for graph computers."),
          rule(
              "a graph computer changes no graph",
              m -> "Begins with an empty graph, which traversals on a graph computer cannot fill."),
          rule(
              "TINKERPOP-3208",
              m ->
                  "TinkerPop: traversals on every graph computer answer wrong here (TINKERPOP-3208,"
                      + " TINKERPOP-3209)."),
          rule(".* is ignored for COMPUTER", m -> "TinkerPop runs the test on no graph computer."),
          rule(
              "|<unknown>|TINKERPOP-\\d+|Ignoring this test.*",
              m -> "Switched off in TinkerPop (`@Ignore`)."),
          rule(
              "This test uses a Edge as a parameter .*",
              m ->
                  "TinkerPop: an edge cannot be written into the text of a query. Runs with"
                      + " parameters."),
          rule(
              "This test is not supported by Gherkin because: .*",
              m -> "TinkerPop: the scenario has no assertion that Gherkin could make."));

  private SkipReason() {}

  private static Rule rule(String said, Function<Matcher, String> reason) {
    return new Rule(Pattern.compile(said), reason);
  }

  /** The reason, null if nobody has looked at what was said yet. */
  static String of(String said) {
    for (Rule rule : RULES) {
      Matcher matcher = rule.said.matcher(said);
      if (matcher.matches()) {
        return rule.reason.apply(matcher);
      }
    }
    return null;
  }

  /** The reasons that name a feature in a suite's part of the page, by the tests under them. */
  static Map<String, String> features(String part) {
    Map<String, String> reasons = new HashMap<>();
    String reason = null;
    for (String line : part.lines().toList()) {
      if (line.startsWith("- ")) {
        String text = line.substring(2).replaceFirst(" \\(\\d+\\)$", "");
        reason = kind(text).isEmpty() ? null : text;
      } else if (reason != null) {
        Matcher names = QUOTED.matcher(line);
        while (names.find()) {
          reasons.put(names.group(1), reason);
        }
      }
    }
    return reasons;
  }

  /** Whether both name a feature, and say the same about it. */
  static boolean isOfOneKind(String reason, String other) {
    return other != null && !kind(reason).isEmpty() && kind(reason).equals(kind(other));
  }

  /** The beginning of a reason, before it names a feature; empty if it names none. */
  private static String kind(String reason) {
    return KINDS.stream().filter(reason::startsWith).findFirst().orElse("");
  }
}
