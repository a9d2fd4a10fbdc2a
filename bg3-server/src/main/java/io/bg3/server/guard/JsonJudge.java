package io.bg3.server.guard;

import java.io.IOException;
import java.io.InputStream;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;
import org.apache.tinkerpop.shaded.jackson.core.StreamReadConstraints;
import org.apache.tinkerpop.shaded.jackson.core.exc.StreamConstraintsException;

/**
 * Reads a request in GraphSON token by token, with the parser that will read it afterwards, and
 * makes nothing of it: its nesting is counted, and a class it names has to be one that a query can
 * use, since reading it would load it.
 */
final class JsonJudge {
  /** Braces that a typed value takes: one with its type, one for itself. */
  private static final int BRACES = 2;

  private static final String TYPE = "@type";
  private static final String CLASS = "g:Class";
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

  void judge(InputStream message) throws Refusal {
    try (JsonParser parser = factory.createParser(message)) {
      String field = "";
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          field = parser.currentName();
        } else if (token == JsonToken.VALUE_STRING) {
          judge(field, parser.getText());
        }
      }
    } catch (StreamConstraintsException e) {
      throw Refusal.forbidden(
          "message is nested too deeply, or has a number too long: limit=" + limit);
    } catch (JsonProcessingException e) {
      throw Refusal.malformed("message is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Refusal.malformed("message is not JSON");
    }
  }

  private static void judge(String field, String text) throws Refusal {
    if (field.equals(TYPE) && text.equals(CLASS)) {
      throw Refusal.forbidden("classes are not available on the server");
    } else if (field.equals(STRATEGY_CLASS) && !AllowList.isClassAllowed(text)) {
      throw Refusal.forbidden("class is not available on the server: " + AllowList.shown(text));
    }
  }
}
