package io.bg3.server.http;

import io.bg3.server.request.GraphName;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.core.StreamReadConstraints;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/**
 * Converts an HTTP request into the request message that a WebSocket driver would send.
 *
 * <p>Threads: any; without state.
 */
final class QueryText {
  /** The content type of a body that holds the query as a field of a JSON object. */
  static final String JSON_TYPE = "application/json";

  /** The deepest nesting of a body. */
  private static final int NESTING = 200;

  /** The most query parameters of a URI. */
  private static final int PARAMETERS = 64;

  private static final String BINDING = Tokens.ARGS_BINDINGS + ".";

  /** The parameter of a URI that names the graph. */
  private static final String ALIAS = Tokens.ARGS_ALIASES + "." + Tokens.VAL_TRAVERSAL_SOURCE_ALIAS;

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(NESTING).build())
              .build());

  private QueryText() {}

  /**
   * The content type of the request, in lower case and without parameters; empty if it has none.
   */
  static String type(FullHttpRequest request) {
    CharSequence type = HttpUtil.getMimeType(request);
    return type == null ? "" : type.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the query of a request, from the URI for GET and from the body otherwise.
   *
   * @throws IllegalArgumentException if the request has no valid query; the message says why
   */
  static RequestMessage read(FullHttpRequest request) {
    return request.method().equals(HttpMethod.GET) ? ofUri(request) : ofBody(request);
  }

  private static RequestMessage ofUri(FullHttpRequest request) {
    Map<String, List<String>> parameters =
        new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8, true, PARAMETERS)
            .parameters();
    Map<String, Object> bindings = new HashMap<>();
    String text = null;
    Object timeout = null;
    String graph = GraphName.DEFAULT;
    for (Map.Entry<String, List<String>> parameter : parameters.entrySet()) {
      String key = parameter.getKey();
      String value = parameter.getValue().get(0);
      if (parameter.getValue().size() > 1) {
        throw new IllegalArgumentException("parameter occurs twice: parameter=" + key);
      } else if (key.equals(Tokens.ARGS_GREMLIN)) {
        text = value;
      } else if (key.equals(Tokens.ARGS_EVAL_TIMEOUT)) {
        timeout = millis(value);
      } else if (key.equals(ALIAS)) {
        graph = value;
      } else if (key.startsWith(BINDING)) {
        bindings.put(key.substring(BINDING.length()), value);
      }
    }
    return message(UUID.randomUUID(), text, timeout, bindings, graph);
  }

  private static Long millis(String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a number of milliseconds: parameter=" + Tokens.ARGS_EVAL_TIMEOUT, e);
    }
  }

  private static RequestMessage ofBody(FullHttpRequest request) {
    JsonNode body;
    try {
      body = JSON.readTree(request.content().toString(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body is not JSON: " + e.getOriginalMessage(), e);
    }
    if (body == null || !body.isObject()) {
      throw new IllegalArgumentException("the body is not a JSON object, {\"gremlin\": \"...\"}");
    }
    JsonNode text = present(body, Tokens.ARGS_GREMLIN);
    if (text != null && !text.isTextual()) {
      throw new IllegalArgumentException("the value of \"gremlin\" is not a text");
    }
    JsonNode timeout = present(body, Tokens.ARGS_EVAL_TIMEOUT);
    if (timeout != null && !timeout.canConvertToLong()) {
      throw new IllegalArgumentException("evaluationTimeout is not a number of milliseconds");
    }
    return message(
        id(present(body, Tokens.REQUEST_ID)),
        text == null ? null : text.textValue(),
        timeout == null ? null : timeout.longValue(),
        bindings(present(body, Tokens.ARGS_BINDINGS)),
        graph(present(body, Tokens.ARGS_ALIASES)));
  }

  /** The value of a field; null if the field is absent or null. */
  private static JsonNode present(JsonNode body, String field) {
    JsonNode node = body.get(field);
    return node == null || node.isNull() ? null : node;
  }

  private static UUID id(JsonNode node) {
    try {
      return node == null ? UUID.randomUUID() : UUID.fromString(node.asText());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the value of \"requestId\" is not a UUID", e);
    }
  }

  /** The graph that the aliases name, as a driver's do: {@code {"g": "people"}}. */
  private static String graph(JsonNode node) {
    if (node == null || (node.isObject() && node.isEmpty())) {
      return GraphName.DEFAULT;
    }
    JsonNode name = node.get(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS);
    if (!node.isObject() || node.size() > 1 || name == null || !name.isTextual()) {
      throw new IllegalArgumentException(
          "the value of \"aliases\" is not {\"g\": the name of a graph}");
    }
    return name.textValue();
  }

  private static Map<String, Object> bindings(JsonNode node) {
    if (node == null) {
      return Map.of();
    }
    if (!(value(node) instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("the value of \"bindings\" is not an object");
    }
    Map<String, Object> bindings = new HashMap<>();
    map.forEach((key, value) -> bindings.put((String) key, value));
    return bindings;
  }

  private static Object value(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> map = new HashMap<>();
      node.fields().forEachRemaining(field -> map.put(field.getKey(), value(field.getValue())));
      return map;
    } else if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(element -> list.add(value(element)));
      return list;
    } else if (node.isNumber()) {
      return node.canConvertToLong() && node.isIntegralNumber()
          ? (Object) node.longValue()
          : node.numberValue();
    } else if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNull() ? null : node.asText();
  }

  private static RequestMessage message(
      UUID id, String text, Object timeout, Map<String, Object> bindings, String graph) {
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException("the request has no query: \"gremlin\" is missing");
    }
    RequestMessage.Builder message =
        RequestMessage.build(Tokens.OPS_EVAL)
            .overrideRequestId(id)
            .addArg(Tokens.ARGS_GREMLIN, text)
            .addArg(Tokens.ARGS_LANGUAGE, "gremlin-lang")
            .addArg(Tokens.ARGS_ALIASES, Map.of(Tokens.VAL_TRAVERSAL_SOURCE_ALIAS, graph))
            .addArg(Tokens.ARGS_BINDINGS, bindings);
    if (timeout != null) {
      message.addArg(Tokens.ARGS_EVAL_TIMEOUT, timeout);
    }
    return message.create();
  }
}
