package io.bg3.transfer.graphml;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.GeneratedIds;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.ValueType;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes a graph as GraphML. It reads the graph twice: first for the keys, then for nodes and
 * edges.
 *
 * <p>The format cannot hold types that GraphML has no name for, several values of one key,
 * meta-properties, characters that XML forbids, and line breaks or tabs in ids and keys.
 */
public final class GraphMlWriter implements GraphFileWriter {
  private static final String NAMESPACE = "http://graphml.graphdrawing.org/xmlns";

  /** A key of GraphML has one type, so a key of the graph may need several keys of GraphML. */
  private record Key(String name, ValueType type) {}

  @Override
  public int passes() {
    return 2;
  }

  @Override
  public void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException {
    Held held = new Held(losses.again());
    Map<Key, String> vertexKeys = new LinkedHashMap<>();
    Map<Key, String> edgeKeys = new LinkedHashMap<>();
    source.vertices(
        vertex -> {
          learn(vertexKeys, "v", held.of(vertex));
          progress.accept(1);
        });
    source.edges(
        edge -> {
          learn(edgeKeys, "e", held.of(edge));
          progress.accept(1);
        });
    try (Writer text = Files.newBufferedWriter(target)) {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      start(xml, vertexKeys, edgeKeys);
      elements(xml, source, new Held(losses), vertexKeys, edgeKeys, progress);
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw unwrapped(e);
    }
  }

  private static void learn(Map<Key, String> keys, String prefix, Map<String, Object> properties) {
    properties.forEach(
        (name, value) ->
            keys.computeIfAbsent(
                new Key(name, GraphMlTypes.of(value).orElseThrow()), none -> prefix + keys.size()));
  }

  private static void start(
      XMLStreamWriter xml, Map<Key, String> vertexKeys, Map<Key, String> edgeKeys)
      throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement("graphml");
    xml.writeAttribute("xmlns", NAMESPACE);
    key(xml, GraphMlTypes.VERTEX_LABEL, "node", labelKey(GraphMlTypes.VERTEX_LABEL));
    for (Map.Entry<Key, String> key : vertexKeys.entrySet()) {
      key(xml, key.getValue(), "node", key.getKey());
    }
    key(xml, GraphMlTypes.EDGE_LABEL, "edge", labelKey(GraphMlTypes.EDGE_LABEL));
    for (Map.Entry<Key, String> key : edgeKeys.entrySet()) {
      key(xml, key.getValue(), "edge", key.getKey());
    }
    xml.writeCharacters("\n");
    xml.writeStartElement("graph");
    xml.writeAttribute("id", "G");
    xml.writeAttribute("edgedefault", "directed");
  }

  private static Key labelKey(String name) {
    return new Key(name, ValueType.STRING);
  }

  private static void key(XMLStreamWriter xml, String id, String of, Key key)
      throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeEmptyElement("key");
    xml.writeAttribute("id", id);
    xml.writeAttribute("for", of);
    xml.writeAttribute("attr.name", key.name);
    xml.writeAttribute("attr.type", GraphMlTypes.name(key.type));
  }

  private static void elements(
      XMLStreamWriter xml,
      GraphSource source,
      Held held,
      Map<Key, String> vertexKeys,
      Map<Key, String> edgeKeys,
      LongConsumer progress)
      throws IOException {
    source.vertices(
        (VertexData vertex) -> {
          try {
            xml.writeCharacters("\n");
            xml.writeStartElement("node");
            xml.writeAttribute("id", held.id(vertex.id()));
            data(xml, GraphMlTypes.VERTEX_LABEL, held.label(vertex.label(), vertex.id()));
            data(xml, vertexKeys, held.of(vertex));
            xml.writeEndElement();
          } catch (XMLStreamException e) {
            throw unwrapped(e);
          }
          progress.accept(1);
        });
    source.edges(
        (EdgeData edge) -> {
          try {
            xml.writeCharacters("\n");
            xml.writeStartElement("edge");
            xml.writeAttribute("id", held.id(edge.id()));
            xml.writeAttribute("source", held.id(edge.from()));
            xml.writeAttribute("target", held.id(edge.to()));
            data(xml, GraphMlTypes.EDGE_LABEL, held.label(edge.label(), edge.id()));
            data(xml, edgeKeys, held.of(edge));
            xml.writeEndElement();
          } catch (XMLStreamException e) {
            throw unwrapped(e);
          }
          progress.accept(1);
        });
  }

  private static void data(
      XMLStreamWriter xml, Map<Key, String> keys, Map<String, Object> properties)
      throws XMLStreamException {
    for (Map.Entry<String, Object> property : properties.entrySet()) {
      Object value = property.getValue();
      Key key = new Key(property.getKey(), GraphMlTypes.of(value).orElseThrow());
      data(xml, keys.get(key), value.toString());
    }
  }

  private static void data(XMLStreamWriter xml, String key, String text) throws XMLStreamException {
    xml.writeStartElement("data");
    xml.writeAttribute("key", key);
    int start = 0;
    for (int i = text.indexOf('\r'); i >= 0; i = text.indexOf('\r', start)) {
      xml.writeCharacters(text.substring(start, i));
      xml.writeEntityRef("#13"); // unescaped, a reader would replace it by a line feed
      start = i + 1;
    }
    xml.writeCharacters(text.substring(start));
    xml.writeEndElement();
  }

  private static IOException unwrapped(XMLStreamException e) {
    return e.getNestedException() instanceof IOException io ? io : new IOException(e);
  }

  /** Selects the parts of elements that GraphML can hold. */
  private static final class Held {
    private final Losses losses;

    Held(Losses losses) {
      this.losses = losses;
    }

    Map<String, Object> of(VertexData vertex) throws IOException {
      label(vertex.label(), vertex.id());
      if (vertex.labels().size() > 1) {
        losses.meet("graphml holds one label of a vertex: id=" + vertex.id());
      }
      Map<String, Object> held = new LinkedHashMap<>();
      Set<String> several = new LinkedHashSet<>();
      for (PropertyData property : vertex.properties()) {
        String key = property.key();
        if (!property.metas().isEmpty()) {
          lost("meta-properties", key, vertex.id());
        }
        if (!GeneratedIds.isOfProperty(property.id())) {
          lost("ids of properties", key, vertex.id());
        }
        if (held.containsKey(key) && several.add(key)) {
          lost("several values under one key", key, vertex.id());
        }
        put(held, key, property.value(), vertex.id());
      }
      return held;
    }

    Map<String, Object> of(EdgeData edge) throws IOException {
      id(edge.id());
      label(edge.label(), edge.id());
      Map<String, Object> held = new LinkedHashMap<>();
      for (Map.Entry<String, Object> property : edge.properties().entrySet()) {
        put(held, property.getKey(), property.getValue(), edge.id());
      }
      return held;
    }

    private void put(Map<String, Object> held, String key, Object value, Object id)
        throws IOException {
      if (!isAttribute(key)) {
        lost("this key", key, id);
        return;
      }
      Object kept = value;
      if (GraphMlTypes.of(value).isEmpty()) {
        lost("values of class " + value.getClass().getSimpleName(), key, id);
        kept = value.toString();
      }
      if (kept instanceof String text && !isXml(text)) {
        lost("characters that XML forbids", key, id);
        kept = repaired(text);
      }
      held.put(key, kept);
    }

    String id(Object id) throws IOException {
      String text = id.toString();
      if (!isAttribute(text)) {
        losses.meet("graphml does not hold this id: id=" + id);
        return repaired(text).replaceAll("[\\t\\n\\r]", "?");
      }
      return text;
    }

    String label(String label, Object id) throws IOException {
      id(id);
      if (!isXml(label)) {
        losses.meet("graphml does not hold this label: label=" + label + ", id=" + id);
        return repaired(label);
      }
      return label;
    }

    private static boolean isAttribute(String text) {
      return isXml(text) && text.chars().noneMatch(c -> c == '\t' || c == '\n' || c == '\r');
    }

    /** Whether XML 1.0 allows all characters of a text. */
    private static boolean isXml(String text) {
      return text.codePoints().allMatch(Held::isXml);
    }

    private static boolean isXml(int c) {
      return c == '\t'
          || c == '\n'
          || c == '\r'
          || (c >= ' ' && c < Character.MIN_SURROGATE)
          || (c > Character.MAX_SURROGATE && c <= 0xFFFD)
          || c >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
    }

    private static String repaired(String text) {
      StringBuilder repaired = new StringBuilder();
      text.codePoints().forEach(c -> repaired.appendCodePoint(isXml(c) ? c : '?'));
      return repaired.toString();
    }

    private void lost(String what, String key, Object id) throws IOException {
      losses.meet("graphml does not hold " + what + ": key=" + key + ", id=" + id);
    }
  }
}
