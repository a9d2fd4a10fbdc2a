package io.bg3.server.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/**
 * GraphSON with large answers in parts ({@link AnswerParts}); TinkerPop's serializers, which are
 * final, do the rest.
 *
 * <p>Threads: any, after it is configured.
 */
public abstract class GraphSonAnswers implements MessageTextSerializer<ObjectMapper> {
  private final MessageTextSerializer<ObjectMapper> graphSon;

  private GraphSonAnswers(MessageTextSerializer<ObjectMapper> graphSon) {
    this.graphSon = graphSon;
  }

  /** GraphSON 3. Gremlin Server makes it by reflection. */
  public static final class V3 extends GraphSonAnswers {
    /** Not configured yet. */
    public V3() {
      super(new GraphSONMessageSerializerV3());
    }
  }

  /** GraphSON 2. Gremlin Server makes it by reflection. */
  public static final class V2 extends GraphSonAnswers {
    /** Not configured yet. */
    public V2() {
      super(new GraphSONMessageSerializerV2());
    }
  }

  @Override
  public ByteBuf serializeResponseAsBinary(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    return graphSon.serializeResponseAsBinary(
        AnswerParts.last(response, part -> graphSon.serializeResponseAsBinary(part, allocator)),
        allocator);
  }

  @Override
  public String serializeResponseAsString(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    return graphSon.serializeResponseAsString(
        AnswerParts.last(response, part -> graphSon.serializeResponseAsString(part, allocator)),
        allocator);
  }

  @Override
  public void configure(Map<String, Object> config, Map<String, Graph> graphs) {
    graphSon.configure(config, graphs);
  }

  @Override
  public ObjectMapper getMapper() {
    return graphSon.getMapper();
  }

  @Override
  public String[] mimeTypesSupported() {
    return graphSon.mimeTypesSupported();
  }

  @Override
  public ByteBuf serializeRequestAsBinary(RequestMessage request, ByteBufAllocator allocator)
      throws SerializationException {
    return graphSon.serializeRequestAsBinary(request, allocator);
  }

  @Override
  public String serializeRequestAsString(RequestMessage request, ByteBufAllocator allocator)
      throws SerializationException {
    return graphSon.serializeRequestAsString(request, allocator);
  }

  @Override
  public RequestMessage deserializeRequest(ByteBuf message) throws SerializationException {
    return graphSon.deserializeRequest(message);
  }

  @Override
  public RequestMessage deserializeRequest(String message) throws SerializationException {
    return graphSon.deserializeRequest(message);
  }

  @Override
  public ResponseMessage deserializeResponse(ByteBuf message) throws SerializationException {
    return graphSon.deserializeResponse(message);
  }

  @Override
  public ResponseMessage deserializeResponse(String message) throws SerializationException {
    return graphSon.deserializeResponse(message);
  }
}
