package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
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
 * Validates a request in GraphSON before TinkerPop's reader decodes it. The validator reads the
 * tokens with the Jackson parser that the reader uses and creates no values: it limits the nesting,
 * and accepts only classes of the {@link AllowList}, because decoding a class name loads the class.
 * It also estimates the heap that the decoded message takes: see {@link DecodedSize}.
 *
 * <p>Threads: any; without state.
 */
public final class GraphSonValidator {
  /** Objects that a typed value takes: the one with its type, and its value. */
  private static final int BRACES = 2;

  private static final String TYPE = "@type";
  private static final String CLASS = "g:Class";
  private static final String PREDICATE = "predicate";
  private static final String VALUE = "value";

  /** Types that only servers send; decoding some of them hashes their content. */
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
   * Creates a validator for any number of messages.
   *
   * @param limit the deepest nesting of values
   */
  public GraphSonValidator(int limit) {
    this.limit = limit;
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(BRACES * limit).build())
            .build();
  }

  /**
   * Checks a whole message.
   *
   * @return the estimated size of the decoded message
   * @throws Refusal if the message is not JSON, or contains a type or class that clients may not
   *     send
   */
  public DecodedSize validate(InputStream message) throws Refusal {
    DecodedSize.Counter decoded = new DecodedSize.Counter();
    try (JsonParser parser = factory.createParser(message)) {
      String field = "";
      String predicate = ""; // of the innermost open object, like value
      String value = null;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        count(token, parser, decoded);
        if (token == JsonToken.FIELD_NAME) {
          field = parser.currentName();
        } else if (token == JsonToken.VALUE_STRING) {
          validate(field, parser.getText());
          predicate = field.equals(PREDICATE) ? parser.getText() : predicate;
          value = field.equals(VALUE) ? parser.getText() : value;
          if (value != null && predicate.matches("regex|notRegex")) {
            RegexCost.require(value); // the reader compiles it
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

  /**
   * Counts a token. A field counts as an entry of a map, and as a token while TinkerPop buffers it.
   */
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
      default -> {} // the end of an object or array
    }
  }

  private static void validate(String field, String text) throws Refusal {
    if (field.equals(TYPE) && text.equals(CLASS)) {
      throw Refusal.forbidden("classes are not available on the server");
    } else if (field.equals(TYPE) && RESULTS.contains(text)) {
      throw Refusal.forbidden("clients cannot send this type: type=" + text);
    } else if (field.equals(STRATEGY_CLASS) && !AllowList.isClassAllowed(text)) {
      throw Refusal.forbidden("class is not available on the server: " + AllowList.shown(text));
    }
  }
}
