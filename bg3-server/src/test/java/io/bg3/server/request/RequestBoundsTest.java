package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.ValidatedMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives requests with arguments of every kind to the bounds, as drivers and strangers send them.
 */
class RequestBoundsTest {
  private final RequestBounds bounds = new RequestBounds(ValidatedMessages.LIMITS);

  /** Every argument of which TinkerPop knows, but for the query. */
  static List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (var field : Tokens.class.getFields()) {
      if (field.getName().startsWith("ARGS_") && !field.getName().equals("ARGS_GREMLIN")) {
        try {
          arguments.add((String) field.get(null));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return arguments;
  }

  @ParameterizedTest
  @MethodSource("arguments")
  void anArgumentThatIsNullIsAbsent(String argument) throws Refusal {
    for (String op : List.of(Tokens.OPS_EVAL, Tokens.OPS_BYTECODE)) {
      Object query = op.equals(Tokens.OPS_EVAL) ? "g.V()" : new Bytecode();
      RequestMessage.Builder request = RequestMessage.build(op).addArg(Tokens.ARGS_GREMLIN, query);
      Map<String, Object> without = Map.copyOf(bounds.bounded(request.create()).getArgs());
      Map<String, Object> with = bounds.bounded(request.addArg(argument, null).create()).getArgs();
      assertEquals(without, with);
    }
  }

  @Test
  void anAliasThatIsNullIsAbsent() throws Refusal {
    Map<String, Object> aliases = new HashMap<>(Map.of("g", "g"));
    aliases.put("h", null);
    RequestMessage bounded = bounds.bounded(eval().addArg(Tokens.ARGS_ALIASES, aliases).create());
    assertEquals(Map.of("g", "g"), bounded.getArgs().get(Tokens.ARGS_ALIASES));
  }

  @Test
  void aRequestWithinBoundsIsNotCopied() throws Refusal {
    for (String op : List.of(Tokens.OPS_EVAL, Tokens.OPS_BYTECODE)) {
      Object query = op.equals(Tokens.OPS_EVAL) ? "g.V()" : new Bytecode();
      RequestMessage request =
          RequestMessage.build(op)
              .addArg(Tokens.ARGS_GREMLIN, query)
              .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
              .addArg(Tokens.ARGS_BATCH_SIZE, 1)
              .addArg(Tokens.ARGS_LANGUAGE, "gremlin-lang")
              .create();
      assertSame(request, bounds.bounded(request));
    }
    RequestMessage other = eval().addArg(Tokens.ARGS_LANGUAGE, "gremlin-groovy").create();
    assertEquals("gremlin-lang", bounds.bounded(other).getArgs().get(Tokens.ARGS_LANGUAGE));
    RequestMessage large =
        eval()
            .addArg(Tokens.ARGS_LANGUAGE, "gremlin-lang")
            .addArg(Tokens.ARGS_BATCH_SIZE, Integer.MAX_VALUE)
            .addArg(Tokens.ARGS_EVAL_TIMEOUT, 0)
            .create();
    Map<String, Object> bounded = bounds.bounded(large).getArgs();
    assertEquals(ValidatedMessages.LIMITS.batch(), bounded.get(Tokens.ARGS_BATCH_SIZE));
    assertEquals(
        ValidatedMessages.LIMITS.evaluationMillis(), bounded.get(Tokens.ARGS_EVAL_TIMEOUT));
  }

  @Test
  void aBindingMayBeNull() throws Refusal {
    Map<String, Object> bindings = new HashMap<>();
    bindings.put("x", null);
    RequestMessage bounded = bounds.bounded(eval().addArg(Tokens.ARGS_BINDINGS, bindings).create());
    assertEquals(bindings, bounded.getArgs().get(Tokens.ARGS_BINDINGS));
  }

  @Test
  void theRequestKeepsItsIdAndItsProcessor() throws Refusal {
    RequestMessage request = eval().processor("session").create();
    RequestMessage bounded = bounds.bounded(request);
    assertEquals(request.getRequestId(), bounded.getRequestId());
    assertEquals("session", bounded.getProcessor());
    assertEquals(Tokens.OPS_EVAL, bounded.getOp());
  }

  @Test
  void aQueryThatIsNullIsMissing() {
    RequestMessage request =
        RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, null).create();
    assertEquals(
        "argument of the request is missing or not of its kind: gremlin", refused(request));
  }

  @Test
  void anArgumentHasAName() {
    assertEquals(
        "an argument of the request is not named by a text",
        refused(eval().addArg(null, "value").create()));
    assertEquals(
        "an argument of the request is not named by a text",
        refused(eval().addArg("x".repeat(1_000), "value").create()));
  }

  @ParameterizedTest
  @MethodSource("ofAnotherKind")
  void anArgumentOfAnotherKindIsRefused(Map.Entry<String, Object> argument) {
    RequestMessage request = eval().addArg(argument.getKey(), argument.getValue()).create();
    assertEquals(
        "argument of the request is missing or not of its kind: " + argument.getKey(),
        refused(request));
  }

  static List<Map.Entry<String, Object>> ofAnotherKind() {
    return List.of(
        Map.entry(Tokens.ARGS_EVAL_TIMEOUT, "1"),
        Map.entry(Tokens.ARGS_BATCH_SIZE, List.of()),
        Map.entry(Tokens.ARGS_SESSION, 1),
        Map.entry(Tokens.ARGS_MATERIALIZE_PROPERTIES, 1),
        Map.entry(Tokens.ARGS_MANAGE_TRANSACTION, "yes"),
        Map.entry(Tokens.ARGS_ALIASES, "g"),
        Map.entry(Tokens.ARGS_ALIASES, Map.of("g", 1)),
        Map.entry(Tokens.ARGS_BINDINGS, List.of()));
  }

  private static RequestMessage.Builder eval() {
    return RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, "g.V()");
  }

  private String refused(RequestMessage request) {
    Refusal refusal = assertThrows(Refusal.class, () -> bounds.bounded(request));
    assertEquals(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, refusal.code());
    return refusal.getMessage();
  }
}
