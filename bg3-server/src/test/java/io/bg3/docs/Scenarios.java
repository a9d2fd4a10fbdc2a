package io.bg3.docs;

import io.bg3.gremlin.GherkinTest;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * TinkerPop's scenarios as they lie on the class path, counted by what {@link GherkinTest#TAGS}
 * makes of them.
 *
 * @param run how many scenarios the tags leave in
 * @param leftOut how many each tag leaves out; one with two of them counts for the first
 */
record Scenarios(int run, Map<String, Integer> leftOut) {
  private static final String FEATURES = "/org/apache/tinkerpop/gremlin/test/features";
  private static final Pattern TAG = Pattern.compile("not (@\\w+)");

  /** How many scenarios a tag leaves out. */
  int leftOut(String tag) {
    return leftOut.getOrDefault(tag, 0);
  }

  /** Reads all features. */
  static Scenarios read() throws IOException, URISyntaxException {
    List<String> tags = TAG.matcher(GherkinTest.TAGS).results().map(tag -> tag.group(1)).toList();
    Map<String, Integer> leftOut = new LinkedHashMap<>();
    int run = 0;
    URI jar = URI.create(Scenarios.class.getResource(FEATURES).toURI().toString().split("!", 2)[0]);
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
        Stream<Path> features = Files.walk(files.getPath(FEATURES))) {
      for (Path feature : features.filter(file -> file.toString().endsWith(".feature")).toList()) {
        for (Set<String> scenario : tagsOfScenarios(Files.readString(feature))) {
          String first = tags.stream().filter(scenario::contains).findFirst().orElse(null);
          if (first == null) {
            run++;
          } else {
            leftOut.merge(first, 1, Integer::sum);
          }
        }
      }
    }
    return new Scenarios(run, leftOut);
  }

  /** The tags of each scenario of a feature, those of the feature included. */
  private static List<Set<String>> tagsOfScenarios(String feature) {
    List<Set<String>> scenarios = new ArrayList<>();
    Set<String> ofFeature = new HashSet<>();
    Set<String> pending = new HashSet<>();
    boolean inText = false;
    for (String line : feature.lines().map(String::strip).toList()) {
      if (line.startsWith("\"\"\"")) {
        inText = !inText;
      } else if (!inText && line.startsWith("@")) {
        pending.addAll(List.of(line.split("\\s+")));
      } else if (!inText && line.startsWith("Feature:")) {
        ofFeature.addAll(pending);
        pending.clear();
      } else if (!inText && line.startsWith("Scenario:")) {
        pending.addAll(ofFeature);
        scenarios.add(Set.copyOf(pending));
        pending.clear();
      }
    }
    return scenarios;
  }
}
