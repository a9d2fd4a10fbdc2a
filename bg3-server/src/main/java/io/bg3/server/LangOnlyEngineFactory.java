package io.bg3.server;

import java.util.List;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngineFactory;

/**
 * Makes gremlin-lang engines under every name that a client may ask for.
 *
 * <p>Drivers send {@code gremlin-groovy} when nobody chose a language, so that name has to work;
 * what it gets is the parser of the Gremlin grammar, which knows no lambdas, no imports and no
 * classes. A name that is not listed is answered by TinkerPop with an error.
 */
public final class LangOnlyEngineFactory extends GremlinLangScriptEngineFactory {
  static final List<String> NAMES = List.of("gremlin-lang", "gremlin-groovy", "groovy", "Groovy");

  @Override
  public List<String> getNames() {
    return NAMES;
  }
}
