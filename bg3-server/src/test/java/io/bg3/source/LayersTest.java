package io.bg3.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Packages are layers and see only those below. Reads the sources of all modules; a package that is
 * not in the table has to be put there first.
 */
class LayersTest {
  /**
   * From the bottom up. Packages of one row do not see each other, unless the row is a pair that
   * TinkerPop makes one.
   */
  private static final List<List<String>> LAYERS =
      List.of(
          List.of("io.bg3.storage"),
          List.of("io.bg3.storage.format"),
          List.of("io.bg3.storage.codec", "io.bg3.storage.file", "io.bg3.storage.memory"),
          List.of("io.bg3.storage.extent", "io.bg3.storage.log", "io.bg3.storage.manifest"),
          List.of("io.bg3.core.limit"),
          List.of("io.bg3.core.entry"),
          List.of("io.bg3.core.block"),
          List.of("io.bg3.core.page"),
          List.of("io.bg3.core.table", "io.bg3.core.value"),
          List.of("io.bg3.core.tree"),
          List.of("io.bg3.core.forest"),
          List.of("io.bg3.core.lock", "io.bg3.core.sort", "io.bg3.core.thread"),
          List.of("io.bg3.core.snapshot"),
          List.of("io.bg3.core.keyspace"),
          List.of("io.bg3.core.commit"),
          List.of("io.bg3.core.transaction"),
          List.of("io.bg3.core.recovery", "io.bg3.core.record"),
          List.of("io.bg3.core.graph"),
          List.of("io.bg3"),
          List.of("io.bg3.batch"),
          List.of("io.bg3.linkbench.model"),
          List.of("io.bg3.linkbench.workload"),
          List.of("io.bg3.linkbench.measure"),
          List.of("io.bg3.linkbench.phase"),
          List.of("io.bg3.linkbench.engine", "io.bg3.linkbench.mariadb", "io.bg3.linkbench.remote"),
          List.of("io.bg3.linkbench"),
          List.of("io.bg3.linkbench.cli"),
          List.of("io.bg3.gremlin.batch"),
          List.of("io.bg3.gremlin.process.traversal.step.util"),
          List.of(
              "io.bg3.gremlin.process.traversal.step.filter",
              "io.bg3.gremlin.process.traversal.step.map",
              "io.bg3.gremlin.process.traversal.step.sideEffect"),
          List.of(
              "io.bg3.gremlin.process.traversal.strategy.finalization",
              "io.bg3.gremlin.process.traversal.strategy.optimization",
              "io.bg3.gremlin.process.traversal.strategy.verification"),
          List.of("io.bg3.gremlin.process.traversal.util"),
          List.of("io.bg3.gremlin.process.computer"),
          List.of("io.bg3.gremlin.structure"),
          List.of("io.bg3.gremlin.services"),
          List.of("io.bg3.gremlin.jsr223"),
          List.of("io.bg3.transfer"),
          List.of("io.bg3.transfer.definitions"),
          List.of(
              "io.bg3.transfer.csv",
              "io.bg3.transfer.graphml",
              "io.bg3.transfer.remote",
              "io.bg3.transfer.star"),
          List.of("io.bg3.load", "io.bg3.export"),
          List.of("io.bg3.server.log"),
          List.of("io.bg3.server.dispatch"),
          List.of("io.bg3.server.answer", "io.bg3.server.metrics"),
          List.of("io.bg3.server.guard", "io.bg3.server.connection"),
          List.of("io.bg3.server.request"),
          List.of("io.bg3.server.access"),
          List.of("io.bg3.server.http", "io.bg3.server.query"),
          List.of("io.bg3.server"),
          List.of("io.bg3.cli"),
          List.of("io.bg3.bench.data", "io.bg3.bench.report"),
          List.of("io.bg3.bench.store", "io.bg3.bench.generate", "io.bg3.bench.paper"),
          List.of("io.bg3.bench.parts", "io.bg3.bench.server", "io.bg3.bench.work"),
          List.of("io.bg3.bench.gremlin"),
          List.of("io.bg3.bench.snb", "io.bg3.bench.olap"),
          List.of("io.bg3.bench"));

  private static final Pattern NAME =
      Pattern.compile("\\bio\\.bg3(?:\\.[a-z][a-z0-9]*)*(?=\\.[A-Z*])");

  @Test
  void everyPackageHasALayer() {
    Map<String, Integer> heights = heights();
    List<String> strangers =
        Sources.java("main").stream()
            .map(Sources::packageOf)
            .distinct()
            .filter(name -> !heights.containsKey(name))
            .toList();
    assertEquals(List.of(), strangers);
  }

  @Test
  void packagesSeeOnlyWhatLiesBelow() {
    Map<String, Integer> heights = heights();
    List<String> upward = new ArrayList<>();
    for (Path file : Sources.java("main")) {
      String self = Sources.packageOf(file);
      for (String line : code(file)) {
        Matcher name = NAME.matcher(line);
        while (name.find()) {
          String seen = name.group();
          if (!mayBeSeen(seen, self, heights)) {
            upward.add(file + " sees " + seen);
          }
        }
      }
    }
    assertEquals(List.of(), upward);
  }

  @Test
  void theEngineKnowsNothingOfTinkerPop() {
    List<Path> knowing =
        Sources.java("main").stream()
            .filter(file -> file.toString().matches("bg3-(storage|core|linkbench)/.*"))
            .filter(file -> !Sources.packageOf(file).equals("io.bg3.linkbench.remote"))
            .filter(file -> Sources.text(file).contains("org.apache.tinkerpop"))
            .toList();
    assertEquals(List.of(), knowing);
  }

  @Test
  void findsAnUpwardName() {
    Map<String, Integer> heights = heights();
    Matcher name = NAME.matcher("import io.bg3.core.tree.Tree;");
    assertTrue(name.find());
    assertEquals("io.bg3.core.tree", name.group());
    assertEquals(false, mayBeSeen("io.bg3.core.tree", "io.bg3.core.page", heights));
    assertEquals(true, mayBeSeen("io.bg3.core.page", "io.bg3.core.tree", heights));
    assertEquals(false, mayBeSeen("io.bg3.storage.log", "io.bg3.storage.extent", heights));
    String services = "io.bg3.gremlin.services";
    String structure = "io.bg3.gremlin.structure";
    assertEquals(false, mayBeSeen(services, structure, heights));
    assertEquals(true, mayBeSeen(structure, services, heights));
    String steps = "io.bg3.gremlin.process.traversal.step.map";
    assertEquals(true, mayBeSeen(steps, structure, heights));
    assertEquals(false, mayBeSeen(structure, steps, heights));
  }

  private static boolean mayBeSeen(String seen, String self, Map<String, Integer> heights) {
    return seen.equals(self)
        || (heights.containsKey(seen) && heights.get(seen) < heights.getOrDefault(self, 0));
  }

  /** The lines of a file that are not comments and do not name its own package. */
  private static List<String> code(Path file) {
    return Sources.lines(file).stream()
        .map(String::strip)
        .filter(line -> !line.startsWith("*") && !line.startsWith("//") && !line.startsWith("/*"))
        .filter(line -> !line.startsWith("package "))
        .toList();
  }

  private static Map<String, Integer> heights() {
    Map<String, Integer> heights = new HashMap<>();
    for (int i = 0; i < LAYERS.size(); i++) {
      for (String name : LAYERS.get(i)) {
        heights.put(name, i);
      }
    }
    return heights;
  }
}
