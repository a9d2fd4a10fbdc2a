package io.bg3.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/**
 * Tells {@link ReceiveBuffers} what a connection sends, at one of several places in its pipeline.
 *
 * <p>Threads: one instance a place and connection, in its event loop.
 */
public final class ReceiveMeter extends ChannelInboundHandlerAdapter {
  /** Where a meter stands. */
  public enum Place {
    /** Ahead of everything that decodes. */
    BYTES,

    /** Behind what makes frames of bytes. */
    FRAMES,

    /** Behind what inflates frames, or makes a request of HTTP whole. */
    INFLATED,

    /** Behind what puts frames together to messages. */
    MESSAGES
  }

  private final ReceiveBuffers buffers;
  private final Place place;
  private ReceiveBuffers.Share share;

  /** A meter at a place. */
  public ReceiveMeter(ReceiveBuffers buffers, Place place) {
    this.buffers = buffers;
    this.place = place;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    share = buffers.share(context.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isRoom(context, message)) {
      context.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private boolean isRoom(ChannelHandlerContext context, Object message) {
    switch (place) {
      case BYTES -> {
        return !(message instanceof ByteBuf bytes) || share.received(bytes.readableBytes());
      }
      case FRAMES -> {
        if (message instanceof WebSocketFrame) {
          share.decoded();
        }
        return true;
      }
      case INFLATED -> {
        if (message instanceof FullHttpRequest) {
          share.decoded();
        }
        return !isCounted(message) || share.waits(size(message));
      }
      case MESSAGES -> {
        if (isCounted(message)) {
          ConnectionGate.setBusy(context.channel());
          share.handedOn(size(message));
        }
        return true;
      }
    }
    throw new AssertionError(place);
  }

  private static boolean isCounted(Object message) {
    return message instanceof FullHttpRequest || isData(message);
  }

  /** Whether a frame is a message or a part of one. */
  static boolean isData(Object message) {
    return message instanceof WebSocketFrame frame
        && (frame instanceof BinaryWebSocketFrame
            || frame instanceof TextWebSocketFrame
            || frame instanceof ContinuationWebSocketFrame);
  }

  private static int size(Object message) {
    return ((ByteBufHolder) message).content().readableBytes();
  }
}
