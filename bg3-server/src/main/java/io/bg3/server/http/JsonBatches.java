package io.bg3.server.http;

import io.bg3.server.request.AnswerParts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/**
 * Writes results as GraphSON 3, with types or without, one batch after the other, so that together
 * they are one list. A query's thread calls it, since elements can be read only there; {@link
 * HttpQueries} puts the envelope around.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("ImmutableEnumChecker") // a mapper is, once it is configured
enum JsonBatches implements MessageTextSerializer<ObjectMapper> {
  TYPED(
      new GraphSONMessageSerializerV3().getMapper(),
      "application/vnd.gremlin-v3.0+json;types=true",
      "{\"@type\":\"g:List\",\"@value\":[",
      "]}",
      "{\"@type\":\"g:Map\",\"@value\":[]}"),
  UNTYPED(
      new GraphSONUntypedMessageSerializerV3().getMapper(),
      "application/vnd.gremlin-v3.0+json;types=false",
      "[",
      "]",
      "{}");

  private static final char LAST = '1';
  private static final char MORE = '0';

  private final ObjectMapper mapper;
  private final String type;
  private final String begin;
  private final String end;
  private final String nothing;

  JsonBatches(ObjectMapper mapper, String type, String begin, String end, String nothing) {
    this.mapper = mapper;
    this.type = type;
    this.begin = begin;
    this.end = end;
    this.nothing = nothing;
  }

  /** The form that a request asks for: with types, as in TinkerPop, unless it says otherwise. */
  static JsonBatches wanted(HttpHeaders headers) {
    return headers.containsValue(HttpHeaderNames.ACCEPT, UNTYPED.type, true) ? UNTYPED : TYPED;
  }

  String type() {
    return type;
  }

  /** The part before the first batch. */
  String begin() {
    return begin;
  }

  /** The part behind the last batch. */
  String end() {
    return end;
  }

  /** An empty map. */
  String nothing() {
    return nothing;
  }

  /** Whether a serialised batch is a query's last. */
  static boolean isLast(ByteBuf batch) {
    return batch.getByte(batch.readerIndex()) == LAST;
  }

  /** The elements of a serialised batch, without a comma at either end. */
  static ByteBuf elements(ByteBuf batch) {
    return batch.skipBytes(1);
  }

  /** Makes the bytes in the query's thread, so that an event loop only puts the envelope around. */
  @Override
  public ByteBuf serializeResponseAsBinary(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    return batch(AnswerParts.last(response, part -> batch(part, allocator)), allocator);
  }

  /** Writes a batch into a buffer without copies between. The caller owns the buffer. */
  private ByteBuf batch(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    boolean more = response.getStatus().getCode() == ResponseStatusCode.PARTIAL_CONTENT;
    ByteBuf batch = allocator.buffer();
    boolean isWritten = false;
    try (ByteBufOutputStream out = new ByteBufOutputStream(batch)) {
      out.writeByte(more ? MORE : LAST);
      for (Iterator<?> results = ((List<?>) response.getResult().getData()).iterator();
          results.hasNext(); ) {
        mapper.writeValue((OutputStream) out, results.next());
        if (results.hasNext()) {
          out.writeByte(',');
        }
      }
      isWritten = true;
      return batch;
    } catch (IOException e) {
      throw new SerializationException(e);
    } finally {
      if (!isWritten) {
        batch.release();
      }
    }
  }

  @Override
  public ObjectMapper getMapper() {
    return mapper;
  }

  @Override
  public String[] mimeTypesSupported() {
    return new String[] {type};
  }

  @Override
  public void configure(Map<String, Object> config, Map<String, Graph> graphs) {}

  @Override
  public String serializeResponseAsString(ResponseMessage response, ByteBufAllocator allocator) {
    throw bytesOnly();
  }

  @Override
  public ByteBuf serializeRequestAsBinary(RequestMessage request, ByteBufAllocator allocator) {
    throw bytesOnly();
  }

  @Override
  public RequestMessage deserializeRequest(ByteBuf message) {
    throw bytesOnly();
  }

  @Override
  public ResponseMessage deserializeResponse(ByteBuf message) {
    throw bytesOnly();
  }

  @Override
  public String serializeRequestAsString(RequestMessage request, ByteBufAllocator allocator) {
    throw bytesOnly();
  }

  @Override
  public RequestMessage deserializeRequest(String message) {
    throw bytesOnly();
  }

  @Override
  public ResponseMessage deserializeResponse(String message) {
    throw bytesOnly();
  }

  private static UnsupportedOperationException bytesOnly() {
    return new UnsupportedOperationException("only results are written, and only as bytes");
  }
}
