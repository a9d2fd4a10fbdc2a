package io.bg3.server;

import javax.script.ScriptException;
import javax.script.SimpleBindings;
import org.apache.tinkerpop.gremlin.jsr223.CachedGremlinScriptEngineManager;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngine;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngineManager;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * A self-test before the server opens its port: it passes a line of Groovy to every script engine
 * that a request could reach, and the server does not start if the line had an effect.
 */
final class GroovyProbe {
  private static final String MARK = "bg3.groovy.probe";
  private static final String SCRIPT = "java.lang.System.setProperty('" + MARK + "', 'ran')";

  private GroovyProbe() {}

  /**
   * Tests the server's own engines and the engines of a session that this thread would create.
   *
   * @throws IllegalStateException if an engine is not gremlin-lang, or ran the Groovy line
   */
  static void check(GremlinScriptEngineManager serverEngines, GraphTraversalSource source) {
    check("server", serverEngines, source);
    check("session", new CachedGremlinScriptEngineManager(), source);
  }

  private static void check(
      String whose, GremlinScriptEngineManager engines, GraphTraversalSource source) {
    for (String name : LangOnlyEngineFactory.NAMES) {
      GremlinScriptEngine engine = engines.getEngineByName(name);
      if (!(engine instanceof GremlinLangScriptEngine)) {
        throw new IllegalStateException(
            "the server does not start: an engine other than gremlin-lang is reachable: whose="
                + whose
                + ", name="
                + name
                + ", engine="
                + engine.getClass().getName());
      }
      run(whose, name, engine, source);
    }
  }

  private static void run(
      String whose, String name, GremlinScriptEngine engine, GraphTraversalSource source) {
    SimpleBindings bindings = new SimpleBindings();
    bindings.put("g", source);
    try {
      Object answer = engine.eval(SCRIPT, bindings);
      throw new IllegalStateException(
          "the server does not start: Groovy was evaluated: whose="
              + whose
              + ", name="
              + name
              + ", answer="
              + answer);
    } catch (ScriptException expected) {
      if (System.clearProperty(MARK) != null) {
        throw new IllegalStateException(
            "the server does not start: Groovy had an effect: whose=" + whose + ", name=" + name,
            expected);
      }
    }
  }
}
