package io.bg3.server.guard;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;
import org.apache.tinkerpop.shaded.jackson.core.StreamReadConstraints;
import org.apache.tinkerpop.shaded.jackson.core.exc.StreamConstraintsException;

/**
 * Reads a request in GraphSON token by token, with the parser that will read it afterwards, and
 * makes nothing of it: its nesting is counted, and a class it names has to be one that a query can
 * use, since reading it would load it. What the reader will make of the message is added up: see
 * {@link DecodedSize}.
 */
final class JsonJudge {
  /** Braces that a typed value takes: one with its type, one for itself. */
  private static final int BRACES = 2;

  private static final String TYPE = "@type";
  private static final String CLASS = "g:Class";
  private static final String PREDICATE = "predicate";
  private static final String VALUE = "value";

  /** Types that only a server sends; reading some of them hashes what is in them. */
  private static final Set<String> RESULTS =
      Set.of(
          "g:BulkSet",
          "g:Path",
          "g:Tree",
          "g:Metrics",
          "g:TraversalMetrics",
          "g:Traverser",
          "tinker:graph");

  private static final String STRATEGY_CLASS = "fqcn";

  private final JsonFactory factory;
  private final int limit;

  /**
   * @param limit of nested values
   */
  JsonJudge(int limit) {
    this.limit = limit;
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(BRACES * limit).build())
            .build();
  }

  /**
   * Passes a message that may be read.
   *
   * @return what the reader will make of it
   */
  DecodedSize judge(InputStream message) throws Refusal {
    DecodedSize.Counter decoded = new DecodedSize.Counter();
    try (JsonParser parser = factory.createParser(message)) {
      String field = "";
      String predicate = ""; // of the object that is open, as is its value
      String value = null;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        count(token, parser, decoded);
        if (token == JsonToken.FIELD_NAME) {
          field = parser.currentName();
        } else if (token == JsonToken.VALUE_STRING) {
          judge(field, parser.getText());
          predicate = field.equals(PREDICATE) ? parser.getText() : predicate;
          value = field.equals(VALUE) ? parser.getText() : value;
          if (value != null && predicate.matches("regex|notRegex")) {
            RegexCost.require(value); // reading it compiles it
          }
        } else if (token == JsonToken.START_OBJECT || token == JsonToken.END_OBJECT) {
          predicate = "";
          value = null;
        }
      }
      return decoded.size();
    } catch (StreamConstraintsException e) {
      throw Refusal.forbidden(
          "message is nested too deeply, or has a number too long: limit=" + limit);
    } catch (JsonProcessingException e) {
      throw Refusal.malformed("message is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Refusal.malformed("message is not JSON");
    }
  }

  /** Counts a token. A field is an entry of a map, and a token of its own while it is read. */
  private static void count(JsonToken token, JsonParser parser, DecodedSize.Counter decoded)
      throws IOException {
    switch (token) {
      case START_OBJECT -> {
        decoded.value();
        decoded.hashed();
      }
      case START_ARRAY -> {
        decoded.value();
        decoded.list();
      }
      case FIELD_NAME -> {
        decoded.entries(1);
        decoded.bytes(parser.getTextLength());
      }
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        decoded.value();
        decoded.bytes(parser.getTextLength());
      }
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> decoded.value();
      default -> {} // ends
    }
  }

  private static void judge(String field, String text) throws Refusal {
    if (field.equals(TYPE) && text.equals(CLASS)) {
      throw Refusal.forbidden("classes are not available on the server");
    } else if (field.equals(TYPE) && RESULTS.contains(text)) {
      throw Refusal.forbidden("type is not taken from a client: type=" + text);
    } else if (field.equals(STRATEGY_CLASS) && !AllowList.isClassAllowed(text)) {
      throw Refusal.forbidden("class is not available on the server: " + AllowList.shown(text));
    }
  }
}
