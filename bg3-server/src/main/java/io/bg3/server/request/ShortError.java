package io.bg3.server.request;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * An error as an event loop writes it out: a message or a stack trace may hold values of a query,
 * however long they are.
 *
 * <p>Threads: any; without state.
 */
final class ShortError {
  /** Characters of a message or a stack trace that an event loop writes out. */
  private static final int LONGEST_MESSAGE = 8_192;

  private ShortError() {}

  /** An error whose message and stack trace are short enough for an event loop. */
  static ResponseMessage of(ResponseMessage error) {
    String text = error.getStatus().getMessage();
    Map<String, Object> attributes = error.getStatus().getAttributes();
    String trace = Objects.toString(attributes.get(Tokens.STATUS_ATTRIBUTE_STACK_TRACE), "");
    boolean isShort = text == null || text.length() <= LONGEST_MESSAGE;
    if (isShort && trace.length() <= LONGEST_MESSAGE) {
      return error;
    }
    Map<String, Object> shorter = new HashMap<>(attributes);
    if (trace.length() > LONGEST_MESSAGE) {
      shorter.put(Tokens.STATUS_ATTRIBUTE_STACK_TRACE, cut(trace));
    }
    return ResponseMessage.build(error.getRequestId())
        .code(error.getStatus().getCode())
        .statusMessage(isShort ? text : cut(text))
        .statusAttributes(shorter)
        .create();
  }

  private static String cut(String text) {
    return text.substring(0, LONGEST_MESSAGE) + "...";
  }
}
