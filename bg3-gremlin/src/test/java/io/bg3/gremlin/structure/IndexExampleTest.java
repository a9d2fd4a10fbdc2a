package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.Indexes;
import io.bg3.gremlin.services.Bg3Services;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.script.Bindings;
import javax.script.SimpleBindings;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.junit.jupiter.api.Test;

/**
 * The example of docs/provider.md on indexes of several keys and of edges answers what the page
 * says it answers, by indexes.
 */
class IndexExampleTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  private static final Pattern EXAMPLE =
      Pattern.compile("several keys and of edges:\n\n```\n(.*?)```", Pattern.DOTALL);

  private static final Pattern LINE = Pattern.compile("(g\\..*?)(?: +// (.*))?");

  @Test
  void theExampleAnswersWhatThePageSays() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(ROOT.resolve("docs/provider.md")));
    assertTrue(example.find());
    int answered = 0;
    try (Bg3Graph graph = Bg3Graph.open()) {
      Bg3Services.register(graph);
      Bindings bindings = new SimpleBindings();
      bindings.put("g", graph.traversal());
      GremlinLangScriptEngine engine = new GremlinLangScriptEngine();
      for (String text : example.group(1).lines().toList()) {
        Matcher line = LINE.matcher(text);
        assertTrue(line.matches(), text);
        String query = line.group(1);
        if (line.group(2) == null) {
          ((Traversal<?, ?>) engine.eval(query, bindings)).iterate();
          graph.tx().commit();
          Indexes.await(graph.graphStore());
        } else {
          Traversal<?, ?> traversal = (Traversal<?, ?>) engine.eval(query, bindings);
          assertEquals(line.group(2), traversal.toList().toString(), text);
          if (!query.contains("call(")) {
            traversal = (Traversal<?, ?>) engine.eval(query, bindings);
            assertTrue(traversal.explain().toString().contains("index="), text);
            answered++;
          }
        }
      }
    }
    assertEquals(3, answered);
  }
}
