package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.answer.RefusedException;
import io.bg3.server.guard.AllowList;
import io.bg3.server.guard.QueryValidator;
import io.bg3.server.guard.RestrictedUser;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The authorizer of the server: allows a query only if it consists of steps, strategies and values
 * of the {@link AllowList}, for every client. Bytecode and query texts obey one set of rules.
 *
 * <p>Threads: any; immutable after {@link #setup}.
 */
public final class Guard implements Authorizer {
  /** The configuration key of the {@link GuardContext} settings. */
  public static final String SETTINGS = "settings";

  private GuardContext settings;

  @Override
  public void setup(Map<String, Object> config) {
    settings = (GuardContext) config.get(SETTINGS);
  }

  @Override
  public Bytecode authorize(AuthenticatedUser user, Bytecode bytecode, Map<String, String> aliases)
      throws AuthorizationException {
    try {
      String graph = aliases == null ? null : aliases.get(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS);
      validator(user, graph == null ? GraphName.DEFAULT : graph).validate(bytecode);
    } catch (Refusal e) {
      throw new RefusedException(e);
    }
    return bytecode;
  }

  @Override
  public void authorize(AuthenticatedUser user, RequestMessage message)
      throws AuthorizationException {
    if (!(message.getArgs().get(Tokens.ARGS_GREMLIN) instanceof String text)) {
      throw new AuthorizationException("the query is not a string");
    }
    try {
      QueryValidator validator = validator(user, GraphName.of(message));
      Object bindings = message.getArgs().get(Tokens.ARGS_BINDINGS);
      if (bindings != null) {
        validator.validateValue(bindings);
      }
      validator.validate(text, bindings).keep();
    } catch (Refusal e) {
      throw new RefusedException(e);
    }
  }

  /** For the queries of a user of a graph, with its role on it. */
  private QueryValidator validator(AuthenticatedUser user, String graph) {
    QueryValidator all =
        new QueryValidator(
            settings.textParser(),
            settings.limits(),
            service -> settings.offers(graph, service),
            service -> settings.onlyReads(graph, service));
    return user instanceof RestrictedUser restricted && !restricted.mayWrite(graph)
        ? all.ofReaders()
        : all;
  }
}
