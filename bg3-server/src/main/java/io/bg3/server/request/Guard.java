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

  private QueryValidator validator;
  private QueryValidator readersValidator;

  @Override
  public void setup(Map<String, Object> config) {
    GuardContext settings = (GuardContext) config.get(SETTINGS);
    validator = new QueryValidator(settings.limits(), settings::offers, settings::onlyReads);
    readersValidator = validator.ofReaders();
  }

  @Override
  public Bytecode authorize(AuthenticatedUser user, Bytecode bytecode, Map<String, String> aliases)
      throws AuthorizationException {
    try {
      validatorOf(user).validate(bytecode);
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
      Object bindings = message.getArgs().get(Tokens.ARGS_BINDINGS);
      if (bindings != null) {
        validator.validateValue(bindings);
      }
      validatorOf(user).validate(text, bindings).keep();
    } catch (Refusal e) {
      throw new RefusedException(e);
    }
  }

  private QueryValidator validatorOf(AuthenticatedUser user) {
    return user instanceof RestrictedUser restricted && !restricted.mayWrite()
        ? readersValidator
        : validator;
  }
}
