package io.bg3.transfer.definitions;

import io.bg3.transfer.TransferException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;

/**
 * Parses JSON to nodes with the lines where they begin. An object has each name once, nothing
 * follows the value, and values are not nested deeper than {@value #MOST_DEPTH}.
 */
final class JsonNodes {
  private static final int MOST_DEPTH = 16;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Node.Source source;
  private final JsonParser parser;

  private JsonNodes(Node.Source source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  /**
   * Parses one value.
   *
   * @throws TransferException if the text is not JSON, or breaks a rule of this class
   */
  static Node parse(Node.Source source, Reader json) throws IOException {
    try (JsonParser parser = FACTORY.createParser(json)) {
      JsonNodes nodes = new JsonNodes(source, parser);
      try {
        parser.nextToken();
        Node root = nodes.value("", 0);
        if (parser.nextToken() != null) {
          throw nodes.here("").error("there is text after the object");
        }
        return root;
      } catch (JsonProcessingException e) {
        throw new Node(source, e.getLocation() == null ? 0 : e.getLocation().getLineNr(), "", "")
            .error("not JSON: " + firstLine(e.getOriginalMessage()), e);
      } catch (CharacterCodingException e) {
        throw nodes.here("").error("not UTF-8", e);
      }
    }
  }

  /** The value that begins with the current token; then its last token is the current one. */
  private Node value(String path, int depth) throws IOException {
    int line = line();
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw here(path).error("the file is empty");
    }
    if (depth > MOST_DEPTH) {
      throw here(path).error("values are nested too deep: allowed=" + MOST_DEPTH);
    }
    Object value =
        switch (token) {
          case START_OBJECT -> object(path, depth);
          case START_ARRAY -> array(path, depth);
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT -> number();
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          default -> new Node.Other(parser.getText());
        };
    return new Node(source, line, path, value);
  }

  private Map<String, Node> object(String path, int depth) throws IOException {
    Map<String, Node> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String at = Node.member(path, name);
      if (members.containsKey(name)) {
        throw here(at).error("the member is there twice");
      }
      parser.nextToken();
      members.put(name, value(at, depth + 1));
    }
    return members;
  }

  private List<Node> array(String path, int depth) throws IOException {
    List<Node> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(Node.element(path, elements.size()), depth + 1));
    }
    return elements;
  }

  private Object number() throws IOException {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> new Node.Other(parser.getText());
    };
  }

  private Node here(String path) {
    return new Node(source, line(), path, "");
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
