package io.bg3.server.guard;

import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Refuses, before anything is evaluated, what a client must not be able to do whoever it is: every
 * query consists of what is on the {@link AllowList}, in bytecode and in texts alike.
 *
 * <p>Threads: without state but for what it is set up with before the first request.
 */
public final class Guard implements Authorizer {
  /** The key under which the {@link Guarded} settings are handed over. */
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
      throw new AuthorizationException("a script has to be a text");
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
