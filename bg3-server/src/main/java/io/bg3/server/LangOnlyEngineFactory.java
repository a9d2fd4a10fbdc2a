package io.bg3.server;

import java.util.List;
import org.apache.tinkerpop.gremlin.jsr223.Customizer;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngineFactory;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngine;

/**
 * Creates gremlin-lang engines under every engine name that a client may send.
 *
 * <p>Drivers send {@code gremlin-groovy} by default, so the server has to accept that name. The
 * engine behind it is the parser of the Gremlin grammar, which has no lambdas, imports or classes.
 * TinkerPop responds to any other name with an error.
 */
public final class LangOnlyEngineFactory extends GremlinLangScriptEngineFactory {
  static final List<String> NAMES = List.of("gremlin-lang", "gremlin-groovy", "groovy", "Groovy");

  @Override
  public List<String> getNames() {
    return NAMES;
  }

  @Override
  public GremlinScriptEngine getScriptEngine() {
    return new ValidatedTextEngine(manager.getCustomizers(NAMES.get(0)).toArray(Customizer[]::new));
  }
}
