package io.bg3.server.connection;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageEncoder;
import java.util.List;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Writes the answers that are not in bytes yet: refusals, errors and the ends of requests without
 * results. The thread that reads the graph writes an answer that holds some of it.
 *
 * <p>Stands in for TinkerPop's encoder, in which an event loop waits for the thread of a session.
 *
 * <p>Threads: shared by all connections, without state.
 */
@Sharable
public final class ResponseEncoder extends MessageToMessageEncoder<ResponseMessage> {
  @Override
  protected void encode(ChannelHandlerContext context, ResponseMessage response, List<Object> out)
      throws SerializationException {
    MessageSerializer<?> format = context.channel().attr(StateKey.SERIALIZER).get();
    if (context.channel().attr(StateKey.USE_BINARY).get()) {
      out.add(new Frame(format.serializeResponseAsBinary(response, context.alloc())));
    } else {
      out.add(
          new Frame(
              ((MessageTextSerializer<?>) format)
                  .serializeResponseAsString(response, context.alloc())));
    }
  }
}
