package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/**
 * Makes a {@link QueuedRequest} of each message of a WebSocket. It copies the bytes and looks at
 * none of them: Netty's buffers are larger than what they hold, and have to be given back.
 *
 * <p>Threads: shared by all connections, without state.
 */
@Sharable
final class WebSocketFrames extends ChannelInboundHandlerAdapter {
  private final WebSocketMessages messages;

  /** For all connections of an endpoint. */
  WebSocketFrames(WebSocketMessages messages) {
    this.messages = messages;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof BinaryWebSocketFrame frame) {
        request(context, frame, true);
      } else if (message instanceof TextWebSocketFrame frame) {
        request(context, frame, false);
      } else if (message instanceof FullHttpRequest || !(message instanceof WebSocketFrame)) {
        Answers.close(context.channel()); // no handler behind takes it
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void request(ChannelHandlerContext context, WebSocketFrame frame, boolean isBinary) {
    byte[] bytes = ByteBufUtil.getBytes(frame.content());
    context.fireChannelRead(new WebSocketRequest(messages, bytes, isBinary));
  }
}
