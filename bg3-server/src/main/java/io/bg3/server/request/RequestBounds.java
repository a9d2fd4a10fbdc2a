package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Brings what a request asks for within what the server gives: its time into (0, limit], its batch
 * into [1, limit], its language to gremlin-lang; and refuses arguments that are not of their kind,
 * over which the server would stumble further in.
 *
 * <p>An argument whose value is null counts as absent: gremlin-javascript sends {@code bindings:
 * null} with each text that has none.
 *
 * <p>A request without a time keeps none: the server's own applies. A request that is within bounds
 * is not copied.
 *
 * <p>Threads: any, without state.
 */
final class RequestBounds {
  private static final int NAME = 256;

  private final Limits limits;

  /** For all connections of a server. */
  RequestBounds(Limits limits) {
    this.limits = limits;
  }

  /** The request with its arguments within bounds. */
  RequestMessage bounded(RequestMessage request) throws Refusal {
    if (Tokens.OPS_INVALID.equals(request.getOp())) {
      throw Refusal.malformed("message cannot be read as a request");
    }
    Map<String, Object> arguments = present(request.getArgs());
    requireKinds(arguments);
    boolean evaluates = Tokens.OPS_EVAL.equals(request.getOp());
    require(
        !Tokens.OPS_BYTECODE.equals(request.getOp())
            || arguments.get(Tokens.ARGS_GREMLIN) instanceof Bytecode,
        Tokens.ARGS_GREMLIN);
    require(
        !evaluates || arguments.get(Tokens.ARGS_GREMLIN) instanceof String, Tokens.ARGS_GREMLIN);
    Map<String, Object> other = new HashMap<>(); // arguments that are not as the client sent them
    if (arguments.get(Tokens.ARGS_EVAL_TIMEOUT) instanceof Number asked) {
      other.put(Tokens.ARGS_EVAL_TIMEOUT, time(asked.longValue()));
    }
    if (arguments.get(Tokens.ARGS_BATCH_SIZE) instanceof Number asked) {
      long batch = Math.max(1, Math.min(asked.longValue(), limits.batch()));
      other.put(Tokens.ARGS_BATCH_SIZE, (int) batch);
    }
    if (evaluates) {
      other.put(Tokens.ARGS_LANGUAGE, RequestProcessor.LANGUAGE);
    }
    boolean isWithin =
        arguments == request.getArgs() && arguments.entrySet().containsAll(other.entrySet());
    return isWithin ? request : with(request, arguments, other);
  }

  private static RequestMessage with(
      RequestMessage request, Map<String, Object> arguments, Map<String, Object> other) {
    RequestMessage.Builder bounded =
        RequestMessage.build(request.getOp())
            .processor(request.getProcessor())
            .overrideRequestId(request.getRequestId());
    arguments.forEach(bounded::addArg);
    other.forEach(bounded::addArg);
    return bounded.create();
  }

  /** The arguments that have a value; so do the aliases among them. */
  private static Map<String, Object> present(Map<String, Object> arguments) throws Refusal {
    boolean hasNull = false;
    for (Map.Entry<String, Object> argument : arguments.entrySet()) {
      if (!isName(argument.getKey())) {
        throw Refusal.argument("an argument of the request is not named by a text");
      }
      hasNull |=
          argument.getValue() == null
              || (argument.getKey().equals(Tokens.ARGS_ALIASES)
                  && argument.getValue() instanceof Map<?, ?> aliases
                  && hasNull(aliases));
    }
    return hasNull ? withoutNulls(arguments) : arguments;
  }

  private static boolean hasNull(Map<?, ?> aliases) {
    for (Object alias : aliases.values()) { // not all maps may be asked for null
      if (alias == null) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, Object> withoutNulls(Map<String, Object> arguments) {
    Map<String, Object> present = new HashMap<>(arguments);
    present.values().removeIf(Objects::isNull);
    if (present.get(Tokens.ARGS_ALIASES) instanceof Map<?, ?> aliases) {
      Map<Object, Object> named = new HashMap<>(aliases);
      named.values().removeIf(Objects::isNull);
      present.put(Tokens.ARGS_ALIASES, named);
    }
    return present;
  }

  private static void requireKinds(Map<String, Object> arguments) throws Refusal {
    requireNumber(arguments, Tokens.ARGS_EVAL_TIMEOUT);
    requireNumber(arguments, Tokens.ARGS_BATCH_SIZE);
    requireName(arguments, Tokens.ARGS_SESSION);
    requireName(arguments, Tokens.ARGS_MATERIALIZE_PROPERTIES);
    Object managed = arguments.get(Tokens.ARGS_MANAGE_TRANSACTION);
    require(managed == null || managed instanceof Boolean, Tokens.ARGS_MANAGE_TRANSACTION);
    requireNames(arguments, Tokens.ARGS_ALIASES, true);
    requireNames(arguments, Tokens.ARGS_BINDINGS, false);
  }

  private static void requireNumber(Map<String, Object> arguments, String key) throws Refusal {
    require(!arguments.containsKey(key) || arguments.get(key) instanceof Number, key);
  }

  private static void requireName(Map<String, Object> arguments, String key) throws Refusal {
    require(!arguments.containsKey(key) || isName(arguments.get(key)), key);
  }

  private static void requireNames(Map<String, Object> arguments, String key, boolean both)
      throws Refusal {
    if (arguments.containsKey(key)) {
      boolean isMap = arguments.get(key) instanceof Map;
      require(isMap, key);
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) arguments.get(key)).entrySet()) {
        require(isName(entry.getKey()) && (!both || isName(entry.getValue())), key);
      }
    }
  }

  private static boolean isName(Object value) {
    return value instanceof String text && text.length() <= NAME;
  }

  private static void require(boolean is, String key) throws Refusal {
    if (!is) {
      throw Refusal.argument("argument of the request is missing or not of its kind: " + key);
    }
  }

  /** Zero and less mean "no limit" to Gremlin Server; here they mean the server's. */
  private long time(long asked) {
    return asked <= 0 || asked > limits.evaluationMillis() ? limits.evaluationMillis() : asked;
  }
}
