package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.answer.RefusedException;
import io.bg3.server.guard.AllowList;
import io.bg3.server.guard.QueryJudge;
import io.bg3.server.guard.Restricted;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The authorizer of the server: allows a query only if it consists of steps, strategies and values
 * of the {@link AllowList}, whoever the client is. Bytecode and query texts obey one set of rules.
 *
 * <p>Threads: any; immutable after {@link #setup}.
 */
public final class Guard implements Authorizer {
  /** The configuration key of the {@link Guarded} settings. */
  public static final String SETTINGS = "settings";

  private QueryJudge judge;
  private QueryJudge readersJudge;

  @Override
  public void setup(Map<String, Object> config) {
    Guarded settings = (Guarded) config.get(SETTINGS);
    judge = new QueryJudge(settings.limits(), settings::offers, settings::onlyReads);
    readersJudge = judge.ofReaders();
  }

  @Override
  public Bytecode authorize(AuthenticatedUser user, Bytecode bytecode, Map<String, String> aliases)
      throws AuthorizationException {
    try {
      judgeOf(user).judge(bytecode);
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
      judge.judgeValue(bindings);
      judgeOf(user).judge(text, bindings);
    } catch (Refusal e) {
      throw new RefusedException(e);
    }
  }

  private QueryJudge judgeOf(AuthenticatedUser user) {
    return user instanceof Restricted restricted && !restricted.mayWrite() ? readersJudge : judge;
  }
}
