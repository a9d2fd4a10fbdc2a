package io.bg3.server.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/** GraphBinary 1.0 with large answers in parts ({@link AnswerParts}). Threads: any. */
public final class GraphBinaryAnswers extends GraphBinaryMessageSerializerV1 {
  @Override
  public ByteBuf serializeResponseAsBinary(ResponseMessage response, ByteBufAllocator allocator)
      throws SerializationException {
    return super.serializeResponseAsBinary(
        AnswerParts.last(response, part -> super.serializeResponseAsBinary(part, allocator)),
        allocator);
  }
}
