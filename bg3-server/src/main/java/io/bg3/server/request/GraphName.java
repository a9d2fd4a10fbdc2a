package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.log.Printable;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The names of a server's graphs, which are the names of their traversal sources. A request names
 * its graph in its alias {@code g}, as {@code DriverRemoteConnection(url, 'people')} does.
 *
 * <p>Threads: any; without state.
 */
public final class GraphName {
  /** The graph of a request that names none. */
  public static final String DEFAULT = "g";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Names that clients and configurations may take for something else. */
  private static final Set<String> RESERVED = Set.of("graph", "default", "none", "system");

  private GraphName() {}

  /** The name of the graph that a request is for. */
  public static String of(RequestMessage request) {
    return request.getArgs().get(Tokens.ARGS_ALIASES) instanceof Map<?, ?> aliases
            && aliases.get(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS) instanceof String name
        ? name
        : DEFAULT;
  }

  /**
   * Checks that a request has no alias but {@code g}, so that it reaches one graph.
   *
   * @throws Refusal if it has another
   */
  static void requireOne(RequestMessage request) throws Refusal {
    if (request.getArgs().get(Tokens.ARGS_ALIASES) instanceof Map<?, ?> aliases
        && !aliases.isEmpty()
        && (aliases.size() > 1 || !aliases.containsKey(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS))) {
      throw Refusal.argument(
          "argument of the request has to name one graph, in the alias g: aliases, count="
              + aliases.size());
    }
  }

  /** Whether a request names its graph. */
  static boolean isIn(RequestMessage request) {
    return request.getArgs().get(Tokens.ARGS_ALIASES) instanceof Map<?, ?> aliases
        && !aliases.isEmpty();
  }

  /** A request that names this graph, and is otherwise the same. */
  static RequestMessage in(String graph, RequestMessage request) {
    return RequestMessage.from(request)
        .addArg(Tokens.ARGS_ALIASES, Map.of(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS, graph))
        .create();
  }

  /**
   * Checks the name of a graph.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  public static String require(String name) {
    if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "name of a graph is not valid: name="
              + Printable.of(name, 100)
              + ", allowed=a letter and up to 63 letters, digits or any of _ -, but none of "
              + String.join(", ", RESERVED.stream().sorted().toList()));
    }
    return name;
  }
}
