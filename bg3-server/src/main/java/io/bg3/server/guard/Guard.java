package io.bg3.server.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptChecker;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Refuses, before anything is evaluated, what a client must not be able to do whoever it is.
 *
 * <ul>
 *   <li>G1: no lambda, at any depth of bytecode. Without Groovy it would be evaluated to nothing,
 *       silently.
 *   <li>G2: no {@code io()}: it reads and writes files with the server's rights.
 *   <li>G3: a text does not ask for more time than the server gives. (Requests and bytecode are cut
 *       to the limit by {@link RequestBounds}; a limit inside a text overrides those.)
 * </ul>
 *
 * <p>A text is judged by its tokens, not by evaluating it: the parser of TinkerPop executes
 * terminal steps while it parses. Not judged yet: depth of nesting, size of what a query returns.
 *
 * <p>Threads: without state but for the limit, which is set once before the first request.
 */
public final class Guard implements Authorizer {
  /** The key under which the {@link Limits} are handed over. */
  public static final String LIMITS = "limits";

  private Limits limits;

  @Override
  public void setup(Map<String, Object> config) {
    limits = (Limits) config.get(LIMITS);
  }

  @Override
  public Bytecode authorize(AuthenticatedUser user, Bytecode bytecode, Map<String, String> aliases)
      throws AuthorizationException {
    refuseIn(bytecode);
    return bytecode;
  }

  @Override
  public void authorize(AuthenticatedUser user, RequestMessage message)
      throws AuthorizationException {
    Object text = message.getArgs().get(Tokens.ARGS_GREMLIN);
    if (!(text instanceof String script)) {
      throw new AuthorizationException("a script has to be a text");
    }
    refuseIn(script);
  }

  private void refuseIn(String script) throws AuthorizationException {
    Optional<Long> asked = GremlinScriptChecker.parse(script).getTimeout();
    if (asked.isPresent() && (asked.get() <= 0 || asked.get() > limits.evaluationMillis())) { // G3
      throw new AuthorizationException(
          "evaluationTimeout is outside the server's limit: asked="
              + asked.get()
              + ", limit="
              + limits.evaluationMillis());
    }
    GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(script));
    lexer.removeErrorListeners(); // what is no token is refused by the parser, with its position
    int before = Token.INVALID_TYPE;
    for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      if (before == GremlinLexer.DOT && token.getType() == GremlinLexer.K_IO) { // G2
        throw new AuthorizationException("io() is not available on the server");
      }
      before = token.getType();
    }
  }

  private static void refuseIn(Object value) throws AuthorizationException {
    if (value instanceof Lambda) { // G1
      throw new AuthorizationException("lambdas are not available on the server");
    } else if (value instanceof Bytecode bytecode) {
      for (Bytecode.Instruction instruction : bytecode.getInstructions()) {
        refuseIn(instruction);
      }
    } else if (value instanceof Bytecode.Binding<?> binding) {
      refuseIn(binding.value());
    } else if (value instanceof P<?> predicate) {
      refuseIn(predicate.getValue());
    } else if (value instanceof Map<?, ?> map) {
      refuseIn(map.keySet());
      refuseIn(map.values());
    } else if (value instanceof Collection<?> collection) {
      for (Object element : collection) {
        refuseIn(element);
      }
    }
  }

  private static void refuseIn(Bytecode.Instruction instruction) throws AuthorizationException {
    if ("io".equals(instruction.getOperator())) { // G2
      throw new AuthorizationException("io() is not available on the server");
    }
    for (Object argument : instruction.getArguments()) {
      refuseIn(argument);
    }
  }
}
