package io.bg3.server.query;

import io.bg3.core.tree.ReadCounts;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.guard.ValueLimit;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.Printable;
import io.bg3.server.request.GraphName;
import io.bg3.server.request.QueryShape;
import io.netty.channel.Channel;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * A request that was evaluated, for logs and spans. It has no value of a parameter, of bytecode, or
 * of the graph; only a text is as it was sent. All of a client's words are escaped and cut.
 *
 * <p>Threads: made and used by the thread of the request.
 */
final class EndedQuery {
  static final String SUCCESS = "success";
  private static final String CONFLICT = "conflict";

  private static final int QUERY = 2_000;
  private static final int PLAN = 2_000;
  private static final int USER = 200;
  private static final int PARAMETERS = 20;
  private static final int PARAMETER = 50;

  private final RunningRequest running;
  private final RequestMessage request;
  private final Channel channel;

  EndedQuery(RunningRequest running, RequestMessage request, Channel channel) {
    this.running = running;
    this.request = request;
    this.channel = channel;
  }

  /** A name of a user or an address as a log shows it. */
  static String shown(String owner) {
    return Printable.unquoted(owner, USER);
  }

  String user() {
    return shown(running.owner());
  }

  String address() {
    return ClientLog.address(channel.remoteAddress());
  }

  /** The name of its graph. */
  String graph() {
    return shown(GraphName.of(request));
  }

  /** The number by which {@code bg3.queries} showed it. */
  long id() {
    return running.scheduled().number();
  }

  /** Success, conflict, error, or why it was told to end. */
  String outcome() {
    Optional<EndReason> ending = running.ending();
    if (ending.isPresent() && !running.hasCommitted()) {
      return ending.get().name().toLowerCase(Locale.ROOT);
    }
    if (running.failure().isEmpty()) {
      return SUCCESS;
    }
    return isConflict() ? CONFLICT : "error";
  }

  boolean isConflict() {
    return running.failure().filter(TemporaryException.class::isInstance).isPresent();
  }

  /** Bytes that it has allocated on the heap, if they are known. */
  OptionalLong allocatedBytes() {
    return running.allocatedBytes();
  }

  /** The reads of the store that it has made. */
  ReadCounts read() {
    return running.read();
  }

  /** The number of its results, if it was one traversal. */
  OptionalLong results() {
    return running.plan() instanceof Traversal.Admin<?, ?> traversal
        ? ValueLimit.results(traversal)
        : OptionalLong.empty();
  }

  /** The text, or the shape of bytecode; the operation of a request that has neither. */
  String query() {
    Object query = request.getArgs().get(Tokens.ARGS_GREMLIN);
    String text =
        query instanceof Bytecode bytecode
            ? QueryShape.of(bytecode, QUERY)
            : String.valueOf(query == null ? request.getOp() : query);
    return Printable.unquoted(text, QUERY);
  }

  /** The kinds of the parameters of a text, by their names. */
  Map<String, String> parameters() {
    Map<String, String> kinds = new TreeMap<>();
    if (request.getArgs().get(Tokens.ARGS_BINDINGS) instanceof Map<?, ?> parameters) {
      QueryShape.kinds(parameters, PARAMETERS, PARAMETER)
          .forEach((name, kind) -> kinds.put(Printable.unquoted(name, PARAMETER), kind));
    }
    return kinds;
  }

  /** The steps that were executed, if it was one traversal. */
  Optional<String> plan() {
    return running.plan() instanceof Traversal.Admin<?, ?> traversal
        ? Optional.of(Printable.unquoted(PlanText.of(traversal, PLAN), PLAN))
        : Optional.empty();
  }
}
