package io.bg3.server;

import io.bg3.server.guard.ValidatedText;
import java.util.Optional;
import javax.script.ScriptContext;
import javax.script.ScriptException;
import org.apache.tinkerpop.gremlin.jsr223.Customizer;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * The engine of gremlin-lang that evaluates the parse tree of a text that the same thread has
 * validated, and parses any other text.
 *
 * <p>Threads: any.
 */
final class ValidatedTextEngine extends GremlinLangScriptEngine {
  private static final String SOURCE = "g";

  ValidatedTextEngine(Customizer... customizers) {
    super(customizers);
  }

  @Override
  public Object eval(String script, ScriptContext context) throws ScriptException {
    if (!(context.getAttribute(SOURCE) instanceof GraphTraversalSource source)) {
      return super.eval(script, context); // has the error
    }
    Optional<ValidatedText> validated = ValidatedText.take(script);
    if (validated.isEmpty()) {
      return super.eval(script, context);
    }
    try {
      return validated.get().evaluate(source, context.getBindings(ScriptContext.ENGINE_SCOPE));
    } catch (Exception e) { // any, as TinkerPop's engine has it
      throw new ScriptException(e);
    }
  }
}
