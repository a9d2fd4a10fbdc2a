package io.bg3.transfer.graphml;

import io.bg3.core.graph.Cardinality;
import io.bg3.transfer.CountedInput;
import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GeneratedIds;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.RowSink;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.ValueType;
import io.bg3.transfer.VertexData;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A GraphML file, read once for its nodes and once for its edges. The reader refuses a file with a
 * document type declaration, so no entity can refer to another file or expand without limit.
 */
public final class GraphMlFile implements GraphFile {
  private static final String NODE = "node";
  private static final String EDGE = "edge";

  /** The declaration of a key element. */
  private record Key(String name, ValueType type) {}

  /** The content of an element: its label, null for none, and its properties. */
  private record Content(String label, Map<String, Object> properties) {}

  private final Path path;

  /** Creates a file with this path. */
  public GraphMlFile(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public int passes() {
    return 2;
  }

  @Override
  public void check() throws IOException {
    read(null, null, count -> {});
  }

  @Override
  public void vertices(RowSink sink, LongConsumer progress) throws IOException {
    read(NODE, sink, progress);
  }

  @Override
  public void edges(RowSink sink, LongConsumer progress) throws IOException {
    read(EDGE, sink, progress);
  }

  /** Reads the elements of one kind; without a kind, reads only up to the root element. */
  private void read(String kind, RowSink sink, LongConsumer progress) throws IOException {
    try (InputStream in = new BufferedInputStream(CountedInput.open(path, progress), 1 << 16)) {
      XMLStreamReader reader = factory().createXMLStreamReader(in);
      try {
        root(reader);
        if (kind != null) {
          elements(reader, kind, sink);
        }
      } catch (XMLStreamException e) {
        throw broken(reader, e);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      throw new TransferException(path + ":1: not XML: " + reason(e), e);
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty("http://javax.xml.XMLConstants/property/accessExternalDTD", "");
    // without a document type, a file can only use the five predefined entities, so there is no
    // limit
    factory.setProperty("jdk.xml.totalEntitySizeLimit", "0");
    return factory;
  }

  private void root(XMLStreamReader reader) throws XMLStreamException, TransferException {
    while (reader.next() != XMLStreamConstants.START_ELEMENT) {
      if (reader.getEventType() == XMLStreamConstants.DTD) {
        throw new TransferException(
            place(reader) + ": a document type is not allowed: it can name other files");
      }
    }
    if (!reader.getLocalName().equals("graphml")) {
      throw new TransferException(
          place(reader) + ": not GraphML: expected=graphml, found=" + reader.getLocalName());
    }
  }

  private void elements(XMLStreamReader reader, String kind, RowSink sink)
      throws XMLStreamException, IOException {
    Map<String, Key> keys = new HashMap<>();
    while (reader.hasNext()) {
      if (reader.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      String name = reader.getLocalName();
      if (name.equals("key")) {
        keys.put(reader.getAttributeValue(null, "id"), key(reader));
      } else if (name.equals(kind)) {
        FilePosition place = place(reader);
        if (kind.equals(NODE)) {
          node(reader, keys, sink, place);
        } else {
          edge(reader, keys, sink, place);
        }
      }
    }
  }

  private Key key(XMLStreamReader reader) throws TransferException {
    String id = reader.getAttributeValue(null, "id");
    String name = reader.getAttributeValue(null, "attr.name");
    String type = reader.getAttributeValue(null, "attr.type");
    return new Key(
        name == null ? id : name,
        GraphMlTypes.named(type)
            .orElseThrow(
                () ->
                    new TransferException(
                        place(reader)
                            + ": unknown type: key="
                            + id
                            + ", attr.type="
                            + type
                            + ", known=boolean, int, long, float, double, string")));
  }

  private static void node(
      XMLStreamReader reader, Map<String, Key> keys, RowSink sink, FilePosition place)
      throws XMLStreamException, IOException {
    String id = reader.getAttributeValue(null, "id");
    VertexData vertex;
    try {
      Content content = content(reader, NODE, GraphMlTypes.VERTEX_LABEL, keys);
      List<PropertyData> properties = new ArrayList<>();
      content.properties.forEach(
          (key, value) ->
              properties.add(new PropertyData(key, value, Cardinality.SINGLE, null, Map.of())));
      String label = content.label == null ? VertexData.STANDARD_LABEL : content.label;
      vertex = new VertexData(required("id", id), label, properties);
    } catch (IllegalArgumentException e) {
      sink.bad(place, e.getMessage());
      return;
    }
    sink.vertex(vertex, place);
  }

  private static void edge(
      XMLStreamReader reader, Map<String, Key> keys, RowSink sink, FilePosition place)
      throws XMLStreamException, IOException {
    String id = reader.getAttributeValue(null, "id");
    String source = reader.getAttributeValue(null, "source");
    String target = reader.getAttributeValue(null, "target");
    EdgeData edge;
    try {
      Content content = content(reader, EDGE, GraphMlTypes.EDGE_LABEL, keys);
      edge =
          new EdgeData(
              GeneratedIds.edgeOf(id),
              content.label == null ? EdgeData.STANDARD_LABEL : content.label,
              required("source", source),
              required("target", target),
              content.properties);
    } catch (IllegalArgumentException e) {
      sink.bad(place, e.getMessage());
      return;
    }
    sink.edge(edge, place);
  }

  /** Reads the data of an element up to the end of the element, before it throws any error. */
  private static Content content(
      XMLStreamReader reader, String kind, String labelKey, Map<String, Key> keys)
      throws XMLStreamException {
    Map<String, Object> properties = new LinkedHashMap<>();
    String label = null;
    IllegalArgumentException bad = null;
    while (reader.next() != XMLStreamConstants.END_ELEMENT || !reader.getLocalName().equals(kind)) {
      if (reader.getEventType() == XMLStreamConstants.START_ELEMENT
          && reader.getLocalName().equals("data")) {
        String id = reader.getAttributeValue(null, "key");
        String text = reader.getElementText();
        Key key = keys.get(id);
        if (labelKey.equals(id)) {
          label = text;
        } else if (key == null) {
          bad = new IllegalArgumentException("undeclared key: key=" + id);
        } else {
          try {
            properties.put(key.name, key.type.parse(text));
          } catch (IllegalArgumentException e) {
            bad = notOfType(key, text, e);
          }
        }
      }
    }
    if (bad != null) {
      throw bad;
    }
    return new Content(label, properties);
  }

  private static IllegalArgumentException notOfType(Key key, String text, Exception cause) {
    return new IllegalArgumentException(
        "not a value of the key's type: key="
            + key.name
            + ", type="
            + GraphMlTypes.name(key.type)
            + ", value="
            + text,
        cause);
  }

  private static String required(String attribute, String value) {
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException("missing: attribute=" + attribute);
    }
    return value;
  }

  private FilePosition place(XMLStreamReader reader) {
    return FilePosition.line(path, reader.getLocation().getLineNumber());
  }

  private TransferException broken(XMLStreamReader reader, XMLStreamException e) {
    int line =
        e.getLocation() == null
            ? reader.getLocation().getLineNumber()
            : e.getLocation().getLineNumber();
    return new TransferException(
        FilePosition.line(path, line) + ": cannot be parsed further: " + reason(e), e);
  }

  /** The message of the parser without the position, which our message already has. */
  private static String reason(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int at = message.indexOf("Message: ");
    return at < 0 ? message : message.substring(at + "Message: ".length()).strip();
  }
}
