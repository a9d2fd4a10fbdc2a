package io.bg3.server.access;

import io.bg3.gremlin.structure.Bg3Services;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who did what from where, and whether he was let: one line for each login and each request, under
 * the logger {@value #NAME}. A line is written before the request runs, so what is allowed may
 * still fail.
 *
 * <p>Threads: any.
 */
public final class AuditLog {
  /** The logger's name. */
  public static final String NAME = "bg3.audit";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final int QUERY = 2_000;
  private static final int WORD = 200;

  private final boolean on;

  /** A log that writes, or, where nobody is asked who he is, one that does not. */
  public AuditLog(boolean on) {
    this.on = on;
  }

  void login(String name, Channel from, String via, Login login) {
    if (on) {
      LOG.info(
          "login user=\"{}\" from={} via={} outcome={}{}",
          Printable.of(name, WORD),
          address(from),
          via,
          outcome(login.account().isPresent()),
          reason(login.problem()));
    }
  }

  void request(Account account, Channel from, String via, RequestMessage request, String problem) {
    if (on) {
      LOG.info(
          "request user=\"{}\" role={} from={} via={} op={} outcome={}{} query=\"{}\"",
          account.getName(),
          account.role().text(),
          address(from),
          via,
          Printable.of(request.getOp(), WORD),
          outcome(problem.isEmpty()),
          reason(problem),
          Printable.of(text(request.getArgs().getOrDefault(Tokens.ARGS_GREMLIN, "")), QUERY));
    }
  }

  /** A batch is bytes: what it asks for stands behind the query. */
  private static String text(Object query) {
    StringBuilder text = new StringBuilder(String.valueOf(query));
    if (query instanceof Bytecode bytecode) {
      addBatches(bytecode, text);
    }
    return text.toString();
  }

  private static void addBatches(Bytecode query, StringBuilder text) {
    for (Bytecode.Instruction step : query.getStepInstructions()) {
      Object[] arguments = step.getArguments();
      if (arguments.length > 1) {
        String operations = Bg3Services.describe(bound(arguments[0]), bound(arguments[1]));
        text.append(operations == null ? "" : " " + operations);
      }
      for (Object argument : arguments) {
        if (bound(argument) instanceof Bytecode nested) {
          addBatches(nested, text);
        }
      }
    }
  }

  private static Object bound(Object argument) {
    return argument instanceof Bytecode.Binding<?> binding ? binding.value() : argument;
  }

  private static String outcome(boolean allowed) {
    return allowed ? "allowed" : "refused";
  }

  private static String reason(String problem) {
    return problem.isEmpty() ? "" : " reason=\"" + Printable.of(problem, WORD) + '"';
  }

  /** Address and port of the other end. */
  private static String address(Channel channel) {
    SocketAddress remote = channel.remoteAddress();
    return remote instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress() + ":" + internet.getPort()
        : String.valueOf(remote);
  }
}
