package io.bg3.server.guard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.io.Buffer;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;
import org.apache.tinkerpop.gremlin.structure.io.binary.types.MapSerializer;
import org.apache.tinkerpop.gremlin.structure.io.binary.types.SetSerializer;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;
import org.apache.tinkerpop.shaded.jackson.databind.DeserializationContext;
import org.apache.tinkerpop.shaded.jackson.databind.deser.std.StdDeserializer;
import org.apache.tinkerpop.shaded.jackson.databind.module.SimpleModule;

/**
 * Readers of the sets and maps of a message. A reader decodes the elements into a list, checks that
 * their hash codes do not collide ({@link HashCollisions}), and only then builds the hash table.
 * Writing is TinkerPop's.
 *
 * <p>Threads: any; without state.
 */
final class HashedTypes {
  private HashedTypes() {}

  private static Set<Object> set(List<Object> elements) throws IOException {
    require(elements);
    return new LinkedHashSet<>(elements);
  }

  private static Map<Object, Object> map(List<Object> keys, List<Object> values)
      throws IOException {
    require(keys);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values.get(i));
    }
    return map;
  }

  private static void require(List<Object> keys) throws IOException {
    if (!HashCollisions.areFew(keys)) {
      throw new IOException(
          "set or map has too many keys with equal hash codes: keys=" + keys.size());
    }
  }

  /** Sets in GraphBinary. */
  @SuppressWarnings("rawtypes") // TinkerPop's type
  static final class Sets extends SetSerializer {
    @Override
    protected Set readValue(Buffer buffer, GraphBinaryReader reader) throws IOException {
      int count = buffer.readInt();
      List<Object> elements = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        elements.add(reader.read(buffer));
      }
      return set(elements);
    }
  }

  /** Maps in GraphBinary. */
  @SuppressWarnings("rawtypes") // TinkerPop's type
  static final class Maps extends MapSerializer {
    @Override
    protected Map readValue(Buffer buffer, GraphBinaryReader reader) throws IOException {
      int count = buffer.readInt();
      List<Object> keys = new ArrayList<>(count);
      List<Object> values = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(reader.read(buffer));
        values.add(reader.read(buffer));
      }
      return map(keys, values);
    }
  }

  /** Sets in GraphSON. */
  @SuppressWarnings("rawtypes") // TinkerPop's type
  private static final class JsonSets extends StdDeserializer<Set> {
    private static final long serialVersionUID = 1L;

    JsonSets() {
      super(Set.class);
    }

    @Override
    public Set deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      List<Object> elements = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(context.readValue(parser, Object.class));
      }
      return set(elements);
    }
  }

  /** Maps in GraphSON: an array in which keys and values alternate. */
  @SuppressWarnings("rawtypes") // TinkerPop's type
  private static final class JsonMaps extends StdDeserializer<Map> {
    private static final long serialVersionUID = 1L;

    JsonMaps() {
      super(Map.class);
    }

    @Override
    public Map deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      List<Object> keys = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        keys.add(context.readValue(parser, Object.class));
        parser.nextToken();
        values.add(context.readValue(parser, Object.class));
      }
      return map(keys, values);
    }
  }

  /** The readers for GraphSON 3. */
  static SimpleModule json() {
    SimpleModule module = new SimpleModule("hashed types");
    module.addDeserializer(Set.class, new JsonSets());
    module.addDeserializer(Map.class, new JsonMaps());
    return module;
  }
}
